/** Calls over the IPC channel between the runner and the processes of a measurement. */

/** What a bench process offers: functions of one plain value. */
export type Api = Record<string, (input: never) => unknown>

export interface Call {
  id: number
  name: string
  input: unknown
}

export interface Reply {
  id: number
  value?: unknown
  error?: string
}

/** Serves `api` to the parent and announces `ready`. The process ends with its parent. */
export function serve(api: Api, ready: unknown): void {
  process.on('message', (call: Call) => void answer(api, call))
  process.once('disconnect', () => process.exit(0))
  // An orderly exit, so that a profile is written.
  process.once('SIGTERM', () => process.exit(0))
  process.send?.({ ready })
}

async function answer(api: Api, call: Call): Promise<void> {
  try {
    const value = await (api[call.name] as (input: unknown) => unknown)(call.input)
    send({ id: call.id, value })
  } catch (error) {
    send({ id: call.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

function send(reply: Reply): void {
  if (process.connected) process.send?.(reply)
}
