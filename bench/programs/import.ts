/** Imports an SDK and ends. */

import { loadSdk } from "../adapters/sdk.ts";
import { readAssignment, report } from "../process/assignment.ts";
import { memoryMb } from "../process/resources.ts";

const { importMs } = await loadSdk(readAssignment().sdk!);
report({ importMs, memoryMb: memoryMb() });
