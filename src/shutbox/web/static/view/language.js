// The language of the page. A page in another language than English contains its translations.
// Every page imports this module before it says anything.

import { use } from "../model/messages.js";
import { byId } from "./dom.js";

const translations = byId("messages");
if (translations) use(JSON.parse(translations.textContent));
