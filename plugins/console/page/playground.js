import { call, get, tryGet } from './api.js'
import { field, h, table, tag } from './dom.js'

/** What the policies would do with a prompt. No model is called: the request is a dry run. */
export async function show(body) {
  const { plugins } = await get('/console/overview')
  if (!plugins.some(({ name }) => name === 'flags')) {
    return body.append(h('p', {}, 'The plugin flags is not enabled, and only it can make a dry run.'))
  }
  const { data = [] } = await get('/v1/models').catch(() => ({}))
  const models = h('datalist', { id: 'models' }, ...data.map(({ id }) => h('option', { value: id })))
  const model = h('input', { list: 'models', required: true, value: data[0]?.id ?? 'demo' })
  const prompt = h('textarea', { required: true, rows: '6' })
  const flags = h('input', { placeholder: 'mode=strict, pii=block' })
  const outcome = h('div', { 'aria-live': 'polite' })
  const run = async (event) => {
    event.preventDefault()
    const extra = flags.value.trim() === '' ? '' : `, ${flags.value.trim()}`
    const messages = [{ role: 'user', content: prompt.value }]
    const reply = await call(
      'POST',
      '/v1/chat/completions',
      { model: model.value, messages },
      { 'x-service-flags': `dry_run=true${extra}` },
    )
    outcome.replaceChildren(...resultOf(reply, reply.error && (await foundIn(reply.error.request_id))))
    outcome.scrollIntoView({ block: 'nearest' })
  }
  body.append(
    h(
      'p',
      {},
      'The plugins judge this prompt as they would judge a request. No model is called, and the exchange is recorded as yours.',
    ),
    h(
      'form',
      { class: 'card', onsubmit: run },
      models,
      field('Prompt', prompt),
      field('Model', model),
      field('Further flags', flags),
      h('button', { class: 'main' }, 'Try it'),
    ),
    outcome,
  )
}

/** What was found in a request that was blocked, as the audit trail tells it; nothing if it is not kept. */
async function foundIn(requestId) {
  const { events = [] } = (await tryGet(`/api/audit?request_id=${requestId}`)) ?? {}
  return events
    .reverse()
    .filter(({ type, direction }) => type.endsWith('.detected') && direction === 'input')
    .flatMap(({ type, detections }) =>
      detections.map((one) => ({ plugin: type.slice(0, -'.detected'.length), ...one })),
    )
}

function resultOf({ error, service = {} }, told = []) {
  const { action, classification, detections = [], dry_run_findings, dry_run_request: sent } = service
  const found = dry_run_findings ?? (told.length > 0 ? told : detections)
  return [
    h('h2', {}, 'Result'),
    h('p', {}, tag(action ?? (error ? 'block' : 'allow')), ` ${error?.message ?? 'The request would be sent.'}`),
    classification && h('p', {}, `Label: ${classification}`),
    table(
      'Found',
      [
        // Without an audit trail, only the answer of a dry run that nothing blocked tells plugins.
        ...(found.some(({ plugin }) => plugin) ? [['Plugin', (row) => row.plugin]] : []),
        ['Type', (row) => row.type],
        ['Action', (row) => tag(row.action)],
        ['Count', (row) => row.count, true],
      ],
      found,
    ),
    sent && h('h2', {}, 'What would be sent'),
    sent && h('pre', { tabindex: '0' }, JSON.stringify(sent, null, 2)),
  ].filter(Boolean)
}
