// A page that needs no more script than the settings.

import { takeOver } from "../view/settings.js";

takeOver();
