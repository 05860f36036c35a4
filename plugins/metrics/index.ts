import { defineFact, definePlugin, Stage, type UpstreamAttempt } from 'governed-gateway'
import { join, type Listener } from './listener.ts'
import { answer, CONTENT_TYPE, page } from './page.ts'
import { ProcessFigures } from './process.ts'
import { Recorder } from './recorder.ts'
import { schema } from './schema.ts'

/** The last provider asked. */
const askedFact = defineFact<UpstreamAttempt>('metrics/asked')

/** Figures for Prometheus, of all workers. */
export default definePlugin({
  name: 'metrics',
  description: 'Serves figures to Prometheus: requests, tokens, findings, providers, queues, the process',
  governs: 'usage',
  countsMirrors: true,
  onError: 'allow',
  provides: [askedFact],
  schema,
  create({ path, token, listen, models, keys, sample, ask_usage: asksUsage }, services) {
    const recorder = new Recorder({ models, keys, sample })
    const process = new ProcessFigures()
    const parts = { services, recorder, process }
    const text = () => page(parts)
    const listeners = services.keep<Map<string, Listener>>('listeners', () => new Map())
    let leave: (() => Promise<void>) | undefined
    services.peers.answer(() => answer(parts))
    return {
      apply(hooks) {
        hooks.preRequest.tap('metrics', (x) => {
          recorder.begun(x)
          if (asksUsage) x.request.wantUsage()
        })
        hooks.postResponse.tap({ name: 'metrics', stage: Stage.Final }, (x) =>
          recorder.ended(x, x.facts.get(askedFact)),
        )
        hooks.onEvent.tap('metrics', (event) => recorder.event(event))
      },
      onTap: (x, run) => recorder.tap(x, run),
      onAttempt(x, attempt) {
        if (attempt.endedAt === undefined) x.facts.set(askedFact, attempt)
        else recorder.attempt(x, attempt)
      },
      routes: listen === undefined ? [route(path, token, text)] : [],
      async start() {
        process.start()
        if (listen !== undefined) leave = await join(listeners, listen, { path, token, text })
      },
      async stop() {
        process.stop()
        await leave?.()
      },
    }
  },
})

const route = (path: string, token: string | undefined, text: () => Promise<string>) => ({
  method: 'GET' as const,
  path,
  auth: 'none' as const,
  ...(token === undefined ? {} : { token }),
  handle: async () => ({ text: await text(), contentType: CONTENT_TYPE }),
})
