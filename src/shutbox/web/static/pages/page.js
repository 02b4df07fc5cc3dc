// A page that needs no script except the settings.

import "../table/push.js";
import { takeOver } from "../view/settings.js";

takeOver();
