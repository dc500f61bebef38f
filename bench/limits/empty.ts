/** Ends at once: what a runtime itself takes. */

import { report } from "../process/assignment.ts";
import { memoryMb } from "../process/resources.ts";

report({ memoryMb: memoryMb() });
