// A page that needs no more script than the settings.

import { takeOver } from "./settings.js";

takeOver();
