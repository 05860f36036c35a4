import { get, tryGet } from './api.js'
import { empty, h, table, tag } from './dom.js'

/** Plugins, their failures, and the health of the gateway and its upstreams. */
export async function show(body) {
  const [{ plugins, instance, version }, audit, upstreams, ready] = await Promise.all([
    get('/console/overview'),
    tryGet('/api/audit?type=plugin.failed&since=24h&limit=200'),
    tryGet('/api/upstreams').catch(() => undefined),
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
      ? empty('Times of hooks are recorded for exchanges that begin while the page Live is open.')
      : table('Time of the last exchanges that were watched', HOOKS, steps),
    h('h2', {}, 'Upstreams'),
  )
  const list = Object.values(upstreams ?? {}).find(Array.isArray)
  if (list === undefined) body.append(h('p', {}, 'This gateway does not tell the health of its upstreams.'))
  else {
    const names = [...new Set(list.flatMap((row) => Object.keys(row)))].slice(0, 10)
    const cell = (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''))
    body.append(
      table(
        'Upstreams',
        names.map((name) => [name, (row) => cell(row[name])]),
        list,
      ),
    )
  }
}

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
