import { definePlugin, type Exchange, Stage } from 'governed-gateway'
import { isPlainName } from 'governed-gateway/kit'
import { Book, OTHERS } from './book.ts'
import type { Used } from './figures.ts'
import { routes } from './routes.ts'

/** Counts requests, tokens, dollars and latency of every key, team and model. */
export default definePlugin({
  name: 'usage',
  description: 'Counts requests, tokens, dollars, blocks and latency by key, team, model and day',
  governs: 'usage',
  countsMirrors: true,
  onError: 'allow',
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      retention_days: {
        type: 'integer',
        description: 'How long figures are kept; days, 1 to 3650. Default 400.',
        minimum: 1,
        maximum: 3650,
        default: 400,
      },
      flush_seconds: {
        type: 'integer',
        description:
          'How often each process writes its figures to the store; seconds, 1 to 60. Until then they are noted on the disk, so that a killed process loses none. Default 1.',
        minimum: 1,
        maximum: 60,
        default: 1,
      },
    },
  },
  create({ retention_days: days, flush_seconds: seconds }, services) {
    const book = new Book(services, days)
    let timer: NodeJS.Timeout | undefined
    return {
      apply(hooks) {
        // The last of the taps, so that cost and counts of others are known. The last byte leaves after it.
        hooks.postResponse.tap({ name: 'usage', stage: Stage.Final }, (x) => {
          const latency = performance.now() - x.startedAt
          return book.add(Date.now() - latency, usedOf(x, latency))
        })
      },
      routes: routes(book, days),
      start() {
        book.start()
        void book.takeOver()
        timer = setInterval(() => void book.flush(), seconds * 1000).unref()
      },
      drain: () => book.flush(),
      async stop() {
        clearInterval(timer)
        await book.flush()
        book.close()
      },
    }
  },
})

function usedOf({ mirrorOf, caller, request, reply, findings }: Exchange, latency: number): Used {
  const { outcome, progress, usage, cost = 0 } = reply
  // As budgets charge: a model was used, or may have been.
  const served = outcome !== 'answered' && (progress === 'sent' || progress === 'begun')
  const copied = mirrorOf !== undefined
  const model = copied ? (request.targets[0]?.model ?? request.model) : request.model
  return {
    key: caller.keyId,
    team: caller.team ?? '',
    // Text of the client: only what looks like a name, and was not refused.
    model: outcome !== 'rejected' && isShown(model) ? model : OTHERS,
    copied,
    served: served && !copied,
    prompt: served ? (usage?.prompt ?? 0) : 0,
    completion: served ? (usage?.completion ?? 0) : 0,
    micros: served ? Math.ceil(Math.round(cost * 1e12) / 1e6) : 0,
    blocked: !copied && outcome === 'blocked',
    redacted: !copied && findings.some(({ action }) => action === 'redact' || action === 'tokenize'),
    failed: !copied && (outcome === 'upstream_failed' || outcome === 'aborted'),
    latency,
  }
}

const MAX_NAMES = 1_000
const names = new Map<string, boolean>()

/** Looks at each name once. */
function isShown(model: string): boolean {
  const known = names.get(model)
  if (known !== undefined) return known
  const plain = model.length <= 128 && isPlainName(model)
  if (names.size >= MAX_NAMES) names.clear()
  names.set(model, plain)
  return plain
}
