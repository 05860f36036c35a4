import type { OpName } from '../../ops.ts'
import { CHAIN_SCRIPTS } from './chain.ts'
import { HOLD_SCRIPTS } from './holds.ts'
import { LOG_SCRIPTS } from './logs.ts'
import { VALUE_SCRIPTS } from './values.ts'

/**
 * The script of each operation. `claim` claims a chain for a new connection; `present` and `absent` hold and release a
 * name.
 */
export const SCRIPTS: Readonly<Record<Exclude<OpName, 'watch'> | 'claim' | 'present' | 'absent', string>> = {
  ...VALUE_SCRIPTS,
  ...HOLD_SCRIPTS,
  ...CHAIN_SCRIPTS,
  ...LOG_SCRIPTS,
}
