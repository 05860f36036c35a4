/** A gateway in a process of its own that tells how much time its event loop used, and the longest stretch of it. */
import { parseConfig } from '../../../core/gateway/config/load.ts'
import { startGateway } from '../../../core/gateway/gateway.ts'
import { setHeapFlags, setServingFlags } from '../../../core/gateway/heap-flags.ts'
import { createLogger } from '../../../core/services/logger.ts'
import { threadTime } from '../../helpers/thread-time.ts'

/** What the gateway used since it was asked last; milliseconds. */
export interface Used {
  /** Of the thread that serves all callers. */
  readonly cpu: number
  /** The longest time in which nobody else was served, counted in time of the thread: a busy machine adds nothing. */
  readonly pause: number
}

const log = createLogger({ level: 'silent', destination: { write: () => {} } })
const [config = '{}'] = process.argv.slice(2)
// V8 collects garbage as in a gateway that serves.
setHeapFlags()
const gateway = await startGateway({ config: parseConfig(config, 'growth', {}), logger: log, env: {} })

setServingFlags()

let began = threadTime()
let turn = threadTime()
let pause = 0
const tick = () => {
  const at = threadTime()
  pause = Math.max(pause, at - turn)
  turn = at
}
setInterval(tick, 1)

process.on('message', (message) => {
  if (message === 'exit') process.exit(0)
  tick()
  const used: Used = { cpu: threadTime() - began, pause }
  began = turn = threadTime()
  pause = 0
  process.send?.({ used })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url: gateway.url })
