/** Microsoft Presidio's analyzer as one more detector, for names and places that rules cannot know. See README.md. */
import { defineFact, definePlugin, type Exchange, type TextView } from 'governed-gateway'
import { Analyzer, postVia } from './client.ts'
import { Finder, type Found } from './finder.ts'
import { Mapping } from './mapping.ts'
import { schema } from './schema.ts'
import { StreamedText } from './stream.ts'

const streamsFact = defineFact<Map<number, StreamedText>>('presidio/streams')

/** Names of tools and the like: identifiers, not prose. */
const SKIPPED: ReadonlySet<string> = new Set(['tool_name', 'tool_definition', 'response_schema', 'media_url'])

export default definePlugin({
  name: 'presidio',
  description: 'Finds names, places and more with a Microsoft Presidio analyzer',
  lookbehind: 0,
  maxBuffered: 8192, // More than `max_pending` and the longest sentence.
  timeoutMs: 20_000, // More than `timeout_ms`, which tells better what went wrong.
  schema,
  events: { 'pii.detected': { severity: 'detection', title: 'Personal data detected', category: 'data' } },
  create(options, services) {
    const mapping = new Mapping(options)
    const allowed = new Set(options.allow.map((value) => value.toLowerCase()))
    const finder = new Finder(
      new Analyzer(
        {
          url: options.url,
          headers: options.headers,
          language: options.language,
          entities: options.entities,
          scoreThreshold: options.score_threshold,
          timeoutMs: options.timeout_ms,
          batchSize: options.batch_size,
        },
        postVia(services.fetch),
      ),
      options.max_text_length,
    )

    const streamOf = (x: Exchange, view: TextView): StreamedText => {
      const all = x.facts.get(streamsFact) ?? new Map<number, StreamedText>()
      x.facts.set(streamsFact, all)
      const stream = all.get(view.id) ?? new StreamedText(finder, options.max_pending)
      all.set(view.id, stream)
      return stream
    }

    const reporter =
      (view: TextView) =>
      ({ entityType, start, end, score }: Found): void => {
        const treatment = mapping.of(entityType, view.direction)
        if (treatment === undefined || score < treatment.minScore) return
        if (allowed.has(view.text.slice(start, end).toLowerCase())) return
        const { type, level, action } = treatment
        const reason = `${view.direction === 'input' ? 'The request' : 'The reply'} holds personal data (${type}).`
        view.report({ type, start, end, level, action, score, reason })
      }

    return {
      detect(view, x) {
        if (options[view.direction] === 'off' || SKIPPED.has(view.channel) || view.reading === 'border') return
        const report = reporter(view)
        const whole = view.final && view.offset === 0 && x.facts.get(streamsFact)?.has(view.id) !== true
        if (!whole) return streamOf(x, view).take(view, report)
        return finder.find(view.text).then((found) => found.forEach(report))
      },
      async start() {
        const problem = await services.checkUrl('options.url', options.url)
        if (problem !== undefined) throw new Error(`${problem.field} ${problem.message}`)
      },
    }
  },
})
