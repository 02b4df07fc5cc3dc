// The language of the page: what it says otherwise than in English stands in it. Imported by every
// page before anything is said.

import { use } from "../model/messages.js";
import { byId } from "./dom.js";

const translations = byId("messages");
if (translations) use(JSON.parse(translations.textContent));
