import { get, tryGet } from './api.js'
import { empty, h, table, tag, time, words } from './dom.js'

/** Plugins, their failures, and the health of the gateway and its upstreams. */
export async function show(body) {
  const [{ plugins, instance, version }, audit, { upstreams, nodes }, ready] = await Promise.all([
    get('/console/overview'),
    tryGet('/api/audit?type=plugin.failed&since=24h&limit=200'),
    get('/api/upstreams'),
    fetch('/health/ready').then((reply) => reply.json()),
  ])
  const { steps } = await get('/console/steps')
  const failures = new Map()
  for (const { plugin } of audit?.events ?? []) failures.set(plugin, (failures.get(plugin) ?? 0) + 1)
  body.append(
    h(
      'p',
      {},
      `Gateway ${version}, process ${instance}: `,
      h('span', { class: `tag ${ready.status === 'ok' ? 'good' : 'bad'}` }, ready.status),
      ready.reason ? ` ${ready.reason}` : '',
    ),
    h('h2', {}, 'Plugins'),
    table('Plugins in the order of the config', COLUMNS(failures), plugins),
    h('h2', {}, 'Time in hooks'),
    steps.length === 0
      ? empty(
          'Times of hooks are recorded of the first two exchanges of each second in a process, and of 50 while the page Live is open. The newest 500 are kept.',
        )
      : table('Time of the last exchanges that were watched', HOOKS, steps),
    h('h2', {}, 'Upstreams'),
  )
  const views = nodes ?? [{ upstreams }]
  const all = views.flatMap(({ upstreams: seen }) => seen)
  const columns = UPSTREAMS.filter(([, , , member]) => member === undefined || all.some((one) => member in one))
  for (const { node, upstreams: seen } of views) body.append(table(captionOf(node, views, seen), columns, seen))
}

function captionOf(node, views, upstreams) {
  const processes = Math.max(0, ...upstreams.map(processesOf))
  const each = processes === 1 ? '' : `the ${processes} processes of `
  if (views.length > 1) return `Upstreams, as ${each}the node ${node} ${each ? 'see' : 'sees'} them`
  return each ? `Upstreams, as ${each}this node see them` : 'Upstreams'
}

const processesOf = (upstream) => Object.values(upstream.processes).reduce((sum, count) => sum + count, 0)

const stateName = (state) => state.replace('_', ' ')

/** Some only where an upstream has the member. */
const UPSTREAMS = [
  ['Upstream', (row) => row.name, 'id'],
  [
    'Breaker',
    ({ state, processes }) => {
      const all = Object.keys(processes).length === 1
      const shown = Object.entries(processes).map(([name, count]) => `${stateName(name)} in ${count}`)
      return h(
        'span',
        { class: `tag ${state === 'closed' ? 'good' : 'bad'}` },
        all ? stateName(state) : shown.join(', '),
      )
    },
  ],
  ['Since', ({ since }) => time(since)],
  ['Failures in a row', (row) => row.failures_in_row, true],
  ['Open requests', (row) => row.open_requests, true, 'open_requests'],
  ['Waiting requests', (row) => row.waiting, true, 'waiting'],
  ['Resting keys', (row) => row.keys_resting, true, 'keys_resting'],
  ['Mirrored requests', (row) => row.mirrored && words(row.mirrored), undefined, 'mirrored'],
]

const HOOKS = [
  ['Plugin', (row) => row.plugin],
  ['Hook', (row) => row.hook],
  ['Exchanges', (row) => row.exchanges, true],
  ['Mean, ms', (row) => row.mean_ms, true],
  ['Highest, ms', (row) => row.max_ms, true],
]

const COLUMNS = (failures) => [
  ['Plugin', (row) => row.name],
  ['Version', (row) => row.version],
  ['Mode', (row) => tag(row.mode)],
  ['If it fails', (row) => row.on_error],
  ['Failures in 24 h', (row) => failures.get(row.name) ?? 0, true],
  ['What it does', (row) => row.description],
]
