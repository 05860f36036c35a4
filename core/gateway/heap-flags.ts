/**
 * V8's flags during a start and afterwards. V8 keeps compiled code, that of Node.js itself and that of `enableCompileCache`, and
 * takes it only if all flags are as they were when it was compiled. So they change only where nothing loads, in any thread, and
 * each module loads with the same flags in every start. See docs/decisions/0107-flags-and-compiled-code.md.
 */
import { setFlagsFromString } from 'node:v8'
import { growYoungSpace } from './young-space.ts'

/** As the process began: while a thread starts, which loads Node.js anew. */
export function resetHeapFlags(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}

/** Before plugins are loaded. */
export function setHeapFlags(): void {
  // V8 takes objects that live as long as a request for long-lived ones and allocates them among the old, where each
  // keeps the young ones it points to: scavenges then copy tens of megabytes (measured: a third of all CPU).
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Until the gateway listens (young-space.ts).
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** When the gateway listens. */
export function setServingFlags(): void {
  // The space for old objects may grow to twice what is in use before it is collected; by default it may to four times. During
  // the start it would be collected for little garbage. See docs/decisions/0131-no-collection-during-a-start.md.
  setFlagsFromString('--heap-growing-percent=100')
  growYoungSpace()
}
