/** Collects garbage now. V8 takes compiled code only for the flags that it was compiled with, so the flag is set for a moment. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
export const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void
setFlagsFromString('--no-expose-gc')
