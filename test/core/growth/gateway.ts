/** A gateway in a process of its own that tells how much time its event loop used, and the longest stretch of it. */
import { parseConfig } from '../../../core/config.ts'
import { startGateway } from '../../../core/gateway.ts'
import { createLogger } from '../../../core/log.ts'

/** What the gateway used since it was asked last; milliseconds. */
export interface Used {
  /** Of the thread that serves all callers. */
  readonly cpu: number
  /** The longest time in which nobody else was served, counted in time of the thread: a busy machine adds nothing. */
  readonly pause: number
}

const log = createLogger({ level: 'silent', destination: { write: () => {} } })
const [config = '{}'] = process.argv.slice(2)
const gateway = await startGateway({ config: parseConfig(config, 'growth', {}), logger: log, env: {} })

const now = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

let began = now()
let turn = now()
let pause = 0
const tick = () => {
  const at = now()
  pause = Math.max(pause, at - turn)
  turn = at
}
setInterval(tick, 1)

process.on('message', (message) => {
  if (message === 'exit') process.exit(0)
  tick()
  const used: Used = { cpu: now() - began, pause }
  began = turn = now()
  pause = 0
  process.send?.({ used })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url: gateway.url })
