/** Runs one behaviour on every form a reply takes: what is true of one must be true of all. */
import { describe, it, type TestContext } from 'node:test'
import { type ChunkOptions, chat, chunks, type Described, type Script, stream } from '../../core/testing/provider.ts'
import { asking, barrier, post, type Setup, setup, type TestGatewayOptions } from './gateway.ts'
import type { SendOptions } from './http.ts'
import { type Seen, seenJson, seenStream } from './replies.ts'

export const KINDS = ['buffered', 'streamed', 'aborted'] as const
export type Kind = (typeof KINDS)[number]

export interface MatrixRun extends Setup {
  readonly kind: Kind
  readonly t: TestContext
  /**
   * Sends a chat completion that the provider answers with `reply`, and tells what the client saw. When `aborted`, the
   * provider stops after half of its deltas and the client leaves: `done` is false, and `choices` what came until then.
   */
  ask(reply: Described, body?: object, options?: SendOptions & ChunkOptions): Promise<Seen>
}

export function describeMatrix(
  name: string,
  options: Omit<TestGatewayOptions, 'upstreamUrl'>,
  body: (run: MatrixRun) => Promise<void>,
): void {
  describe(name, () => {
    for (const kind of KINDS) {
      it(kind, async (t) => {
        const parts = await setup(t, options)
        const ask: MatrixRun['ask'] = (reply, more = {}, how = {}) => {
          const n = typeof reply === 'string' ? 1 : reply.choices.length
          const asked = { ...(kind !== 'buffered' && { stream: true }), ...(n > 1 && { n }) }
          const request = asking('Hello', { ...asked, ...more })
          return kind === 'aborted' ? askAndLeave(parts, reply, request, how) : askAndRead(parts, reply, request, how)
        }
        await body({ ...parts, kind, t, ask })
      })
    }
  })
}

async function askAndRead(parts: Setup, reply: Described, body: object, how: SendOptions & ChunkOptions) {
  parts.provider.otherwise(chat(reply, how))
  const answer = await post(parts.gateway, body, how)
  const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true
  return isStream ? seenStream(answer.status, await answer.events()) : seenJson(answer.status, await answer.text())
}

/** Leaves when the gateway had the chance to handle all that the provider wrote. */
async function askAndLeave(parts: Setup, reply: Described, body: object, how: SendOptions & ChunkOptions) {
  const { script, reached } = stopHalfway(reply, how)
  parts.provider.otherwise(script)
  const leave = new AbortController()
  const arriving: string[] = []
  const seen = { status: 0 }
  const reading = (async () => {
    const answer = await post(parts.gateway, body, { ...how, signal: leave.signal })
    seen.status = answer.status
    if (answer.status !== 200) return seenJson(answer.status, await answer.text())
    for (let event = await answer.event(); event !== undefined; event = await answer.event()) arriving.push(event)
    return seenStream(answer.status, arriving)
  })()
  reading.catch(() => {}) // Judged below, if it is what ends first.
  const ended = await Promise.race([reading, reached])
  if (ended) return ended
  await barrier(parts.gateway)
  leave.abort()
  await reading.catch(() => {})
  return seenStream(seen.status, arriving)
}

/** A stream that waits for ever after half of its deltas, and a promise for having come there. */
function stopHalfway(reply: Described, how: ChunkOptions): { script: Script; reached: Promise<undefined> } {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const all = chunks(reply, how)
  const half = all.slice(0, Math.ceil(all.length / 2))
  const forEver = new Promise<never>(() => {})
  return { script: stream([...half, () => resolve(undefined), forEver]), reached: promise }
}
