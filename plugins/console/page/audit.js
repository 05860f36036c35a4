import { get } from './api.js'
import { empty, field, h, select, svg, table, tag, time } from './dom.js'

const TEXTS = [
  ['type', 'Type'],
  ['key_id', 'Key'],
  ['request_id', 'Request'],
  ['model', 'Model'],
  ['since', 'Since'],
]

/** Search in the audit trail; with a request, its exchange as a timeline. */
export async function show(body, requestId) {
  if (requestId !== undefined) return timeline(body, requestId)
  const inputs = Object.fromEntries(
    TEXTS.map(([name]) => [name, h('input', { name, value: name === 'since' ? '24h' : '' })]),
  )
  const severity = select(['', 'info', 'detection', 'action', 'block'], '')
  const found = h('div', {})
  const search = async (cursor) => {
    const query = new URLSearchParams({ limit: '50', ...(cursor && { cursor }) })
    for (const [name, input] of [...Object.entries(inputs), ['severity', severity]]) {
      input.complain('')
      if (input.value.trim() !== '') query.set(name, input.value.trim())
    }
    try {
      const { events, next_cursor: next, durable } = await get(`/api/audit?${query}`)
      const more = next && h('button', { type: 'button', onclick: () => search(next) }, 'Earlier events')
      const note = durable
        ? undefined
        : h('p', {}, 'No plugin reads the audit log, so events are not stored. Enable one, such as audit-file.')
      found.replaceChildren(...[note, table('Events', COLUMNS, events), more].filter(Boolean))
    } catch (error) {
      const control = inputs[error.param] ?? (error.param === 'severity' ? severity : undefined)
      if (control === undefined) throw error
      control.complain(error.message)
    }
  }
  const submit = (event) => {
    event.preventDefault()
    search()
  }
  body.append(
    h(
      'form',
      { class: 'row', onsubmit: submit },
      ...TEXTS.map(([name, title]) => field(title, inputs[name])),
      field('Severity', severity),
      h('button', { class: 'main' }, 'Search'),
    ),
    found,
  )
  await search()
}

async function timeline(body, requestId) {
  const [{ events }, { exchange }] = await Promise.all([
    get(`/api/audit?request_id=${encodeURIComponent(requestId)}&limit=200`),
    get(`/console/steps/${encodeURIComponent(requestId)}`),
  ])
  const all = events.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : (a.seq ?? 0) - (b.seq ?? 0)))
  const start =
    Date.parse(all[0]?.time ?? 0) -
    (all.at(-1)?.latency_ms === undefined
      ? 0
      : Math.max(0, all.at(-1).latency_ms - (Date.parse(all.at(-1).time) - Date.parse(all[0].time))))
  body.append(
    h('p', {}, h('a', { href: '#audit' }, 'Back to the search'), ' · ', h('code', {}, requestId)),
    h('h2', {}, 'Events'),
    all.length === 0
      ? empty(
          'The audit trail has no events of this exchange. They are stored while a plugin reads the audit log.',
          'plugins: [{ use: audit-file, options: { path: ./audit.jsonl } }]',
        )
      : h(
          'ol',
          { class: 'timeline' },
          ...all.map((event) =>
            h(
              'li',
              {},
              h(
                'h3',
                {},
                h('span', { class: 'dim' }, `+${Date.parse(event.time) - start} ms`),
                ` ${event.type} `,
                tag(event.severity),
              ),
              members(event),
            ),
          ),
        ),
    h('h2', {}, 'Plugins and providers'),
    ...(exchange === null
      ? [empty('Times of hooks are recorded for exchanges that begin while the page Live is open.')]
      : course(exchange)),
  )
}

/** Every hook of every plugin, and every request to a provider, with a bar for when it ran. */
function course({ total_ms: total, steps, attempts }) {
  const rows = [
    ...steps.map((one) => ({ ...one, name: one.plugin, what: one.failed > 0 ? tag('failed') : '' })),
    ...attempts.map((one) => ({
      ...{ at: one.at, ms: one.ms, runs: 1, hook: 'upstream', name: `${one.upstream} (${one.model})` },
      what: tag(one.error ?? String(one.status ?? 'no answer')),
    })),
  ].sort((a, b) => a.at - b.at)
  const bar = ({ at, ms, hook }) =>
    svg(
      'svg',
      { class: 'when', viewBox: '0 0 200 10', 'aria-hidden': 'true', preserveAspectRatio: 'none' },
      svg('rect', {
        ...{ x: (at / total) * 198, width: Math.max(2, (ms / total) * 198), y: 1, height: 8 },
        class: hook === 'upstream' ? 'b1' : 'b0',
      }),
    )
  return [
    table(
      `What took ${total.toLocaleString('en')} ms`,
      [
        ['Hook', (row) => row.hook],
        ['Plugin or provider', (row) => row.name],
        ['From, ms', (row) => row.at, true],
        ['Took, ms', (row) => row.ms, true],
        ['Runs', (row) => row.runs, true],
        ['Result', (row) => row.what],
        ['When', bar],
      ],
      rows,
    ),
  ]
}

const HIDDEN = ['id', 'type', 'severity', 'time', 'request_id', 'hash', 'prev_hash', 'seq', 'instance']

const members = (event) =>
  h(
    'dl',
    {},
    ...Object.entries(event)
      .filter(([name]) => !HIDDEN.includes(name))
      .map(([name, value]) =>
        h('div', {}, h('dt', {}, name), h('dd', {}, typeof value === 'object' ? JSON.stringify(value) : String(value))),
      ),
  )

const COLUMNS = [
  ['Time', (row) => time(row.time)],
  ['Type', (row) => row.type],
  ['Severity', (row) => tag(row.severity)],
  ['Key', (row) => row.key_id ?? row.subject],
  ['Model', (row) => row.model],
  ['Status', (row) => row.status, true],
  ['Reason', (row) => row.reason ?? row.code],
  ['Exchange', (row) => row.request_id && h('a', { href: `#audit/${encodeURIComponent(row.request_id)}` }, 'timeline')],
]
