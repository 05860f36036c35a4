import { get } from './api.js'
import { empty, h, svg, table, tag, words } from './dom.js'

/** One exchange: what it was, what was found, every hook and every request to a provider, and its events. */
export async function timeline(body, requestId) {
  const [{ events }, { exchange }] = await Promise.all([
    get(`/api/audit?request_id=${encodeURIComponent(requestId)}&limit=200`),
    get(`/console/steps/${encodeURIComponent(requestId)}`),
  ])
  const all = events.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : (a.seq ?? 0) - (b.seq ?? 0)))
  const last = all.findLast((event) => event.latency_ms !== undefined) ?? all.at(-1)
  const facts = factsOf(all)
  body.append(
    h('p', {}, h('a', { href: '#audit' }, 'Back to the search'), ' · ', h('code', {}, requestId)),
    last === undefined
      ? empty(
          'The audit trail has no events of this exchange. They are stored while a plugin reads the audit log.',
          'plugins: [{ use: audit-file, options: { path: ./audit.jsonl } }]',
        )
      : h('div', { class: 'card' }, outcome(last), members(facts)),
    ...findings(all, last),
    h('h2', {}, 'Plugins and providers'),
    ...(exchange === null
      ? [
          ...(last?.attempts ? [asked(last.attempts)] : []),
          empty(
            'Times of hooks are recorded of the first two exchanges of each second in a process, and of 50 while the page Live is open. The newest 500 are kept.',
          ),
        ]
      : [course(exchange)]),
    h('h2', {}, 'Events'),
    h('ol', { class: 'timeline' }, ...all.map((event) => item(event, startOf(all, last), facts))),
  )
}

/** The decision, and why. */
const outcome = (event) =>
  h(
    'p',
    {},
    tag(event.action ?? event.severity),
    ` ${[event.type, event.status, event.code].filter((part) => part !== undefined && part !== null).join(' · ')}`,
    event.policy && [' · policy ', h('strong', {}, event.policy)],
    event.reason && h('span', { class: 'reason' }, event.reason),
  )

/** The latency of the last event says when the exchange began. */
function startOf(all, last) {
  const [first] = all
  if (first === undefined) return 0
  const before = (last.latency_ms ?? 0) - (Date.parse(last.time) - Date.parse(first.time))
  return Date.parse(first.time) - Math.max(0, before)
}

/** Members that are the same in every event that has them. */
function factsOf(all) {
  const facts = new Map()
  for (const event of all) {
    for (const [name, value] of Object.entries(event)) {
      if (HIDDEN.includes(name) || OF_EVENTS.includes(name) || typeof value === 'object') continue
      facts.set(name, facts.has(name) && facts.get(name) !== value ? undefined : value)
    }
  }
  return Object.fromEntries([...facts].filter(([, value]) => value !== undefined))
}

const HIDDEN = [
  'id',
  'type',
  'severity',
  'time',
  'request_id',
  'hash',
  'prev_hash',
  'seq',
  'instance',
  'schema_version',
]
const OF_EVENTS = ['reason', 'policy', 'code', 'action', 'status', 'direction']

function findings(all, last) {
  const rows =
    last?.detections ??
    all.flatMap(({ detections = [], direction }) => detections.map((one) => ({ direction, ...one })))
  if (rows.length === 0) return []
  const columns = [
    ['Finding', (row) => row.type],
    ['Where', (row) => (row.direction === 'output' ? 'reply' : 'request')],
    ['Count', (row) => row.count, true],
    ['Action', (row) => tag(row.action)],
  ]
  return [h('h2', {}, 'Findings'), table('What was found', columns, rows)]
}

const asked = (attempts) =>
  table(
    'Requests to providers',
    [
      ['Provider', (row) => row.upstream],
      ['Result', (row) => tag(String(row.result))],
    ],
    attempts,
  )

/** Every hook of every plugin, and every request to a provider, with a bar for when it ran. */
function course({ total_ms: total, steps, attempts }) {
  const rows = [
    ...steps.map((one) => ({ ...one, name: one.plugin, what: tag(one.failed > 0 ? 'failed' : one.stop) })),
    ...attempts.map((one) => ({
      ...{ at: one.at, ms: one.ms, runs: 1, hook: 'upstream', name: `${one.upstream} (${one.model})` },
      what: tag(one.error ?? String(one.status ?? 'no answer')),
      first: one.first_byte_ms,
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
  return table(
    `What took ${total.toLocaleString('en')} ms`,
    [
      ['Hook', (row) => row.hook],
      ['Plugin or provider', (row) => row.name],
      ['From, ms', (row) => row.at, true],
      ['Took, ms', (row) => row.ms, true],
      ['Runs', (row) => row.runs, true],
      ['Held back', held],
      ['Result', (row) => row.what],
      ['When', bar],
    ],
    rows,
  )
}

const held = ({ held: most, holds, first }) => {
  if (first !== undefined && first !== null) return `first byte after ${first.toLocaleString('en')} ms`
  return most > 0 ? `up to ${most.toLocaleString('en')} characters, ${holds} ×` : ''
}

const item = (event, start, facts) =>
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
    members(Object.fromEntries(Object.entries(event).filter(([name]) => !HIDDEN.includes(name) && !(name in facts)))),
  )

const members = (all) =>
  h(
    'dl',
    { class: 'members' },
    ...Object.entries(all).map(([name, value]) =>
      h('div', {}, h('dt', {}, name.replaceAll('_', ' ')), h('dd', {}, words(value))),
    ),
  )
