import { GatewayError } from '../contract/errors.ts'
import type { Awaitable } from '../contract/plugin.ts'
import type { Owner } from './guard.ts'

/** Time limit for `start`, `drain` and `stop` of one plugin, milliseconds. */
const LIFECYCLE_MS = 10_000

/** Runs one lifecycle step within its deadline. */
export async function within(
  name: string,
  step: string,
  run: (signal: AbortSignal) => Awaitable<void> | undefined,
): Promise<void> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort()
      reject(
        new GatewayError(
          'GW_PLUGIN_TIMEOUT',
          `${step}() of '${name}' did not settle within ${LIFECYCLE_MS / 1000} s. Does it await something that never ends?`,
        ),
      )
    }, LIFECYCLE_MS)
  })
  try {
    await Promise.race([run(controller.signal), late])
  } finally {
    clearTimeout(timer)
  }
}

/** The same, but only logs a failure. */
export async function quietly(
  owner: Owner,
  step: string,
  run: (signal: AbortSignal) => Awaitable<void> | undefined,
): Promise<void> {
  try {
    await within(owner.name, step, run)
  } catch (error) {
    owner.log.error({ step, error: error instanceof Error ? error.name : 'unknown' }, 'plugin failed')
  }
}
