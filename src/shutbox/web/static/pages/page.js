// A page that needs no script except the settings.

import { takeOver } from "../view/settings.js";

takeOver();
