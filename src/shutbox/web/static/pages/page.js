// A page that needs no script except the settings.

import "./push.js";
import { takeOver } from "../view/settings.js";

takeOver();
