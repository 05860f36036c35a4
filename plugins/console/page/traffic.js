import { tryGet } from './api.js'
import { empty, h, select, table } from './dom.js'
import { plot } from './plot.js'

/** Usage over time, and by key or model. */
export async function show(body) {
  const range = select(['24 hours', '7 days', '30 days', '90 days'], '24 hours')
  const by = select(['key', 'team', 'model'], 'key')
  const tiles = h('dl', { class: 'tiles' })
  const plots = h('div', { class: 'plots' })
  const sums = h('div', {})
  const label = (text, control) => h('label', {}, `${text} `, control)
  body.append(
    h('form', { class: 'row', onchange: () => draw() }, label('Time', range), label('Sums by', by)),
    tiles,
    plots,
    h('h2', {}, 'Sums'),
    sums,
  )
  const draw = async () => {
    const days = Number.parseInt(range.value, 10)
    const hourly = range.value !== '30 days' && range.value !== '90 days'
    const since = range.value === '24 hours' ? '1d' : `${days - 1}d`
    const usage = await tryGet(`/api/usage?since=${since}&by=${hourly ? 'hour' : 'day'}`)
    if (usage === undefined) {
      body.replaceChildren(empty('The plugin usage is not enabled.', 'plugins: [{ use: usage }]'))
      return
    }
    const points = whole(usage, hourly ? 3_600_000 : 86_400_000).slice(range.value === '24 hours' ? -24 : 0)
    const sum = (name) => points.reduce((total, point) => total + point[name], 0)
    tiles.replaceChildren(
      tile('Requests', sum('requests')),
      tile('Blocked', sum('blocked')),
      tile('Tokens', sum('prompt_tokens') + sum('completion_tokens')),
      tile('Cost', sum('usd'), { style: 'currency', currency: 'USD', maximumFractionDigits: 4 }),
    )
    plots.replaceChildren(
      plot('Requests', 'requests', points, [
        { name: 'all', value: (p) => p.requests },
        { name: 'blocked', value: (p) => p.blocked },
      ]),
      plot('Latency', 'ms', points, [
        { name: 'p50', value: (p) => p.p50_ms },
        { name: 'p95', value: (p) => p.p95_ms },
      ]),
      plot('Tokens', 'tokens', points, [{ name: 'tokens', value: (p) => p.prompt_tokens + p.completion_tokens }]),
      plot('Cost', 'US dollars', points, [{ name: 'dollars', value: (p) => p.usd }]),
    )
    const totals = await tryGet(`/api/usage?since=${since}&by=${by.value}`)
    sums.replaceChildren(
      table(`Usage by ${by.value}`, [[by.value, (row) => row[by.value] ?? '(none)', 'name'], ...FIGURES], totals.usage),
      h(
        'p',
        {},
        h('a', { href: `/api/usage?since=${since}&by=${by.value}&format=csv`, onclick: download }, 'Download as CSV'),
      ),
    )
  }
  await draw()
}

const tile = (name, value, as) => h('div', {}, h('dt', {}, name), h('dd', {}, value.toLocaleString('en', as)))

/** A link cannot send the header that a session needs. */
async function download(event) {
  event.preventDefault()
  const reply = await fetch(event.target.href, { headers: { 'x-console': '1' } })
  const url = URL.createObjectURL(await reply.blob())
  h('a', { href: url, download: 'usage.csv' }).click()
  URL.revokeObjectURL(url)
}

/** A point for each hour or day, used or not. */
function whole({ since, usage }, step) {
  const rows = new Map(usage.map((row) => [Date.parse(row.hour ?? row.day), row]))
  const points = []
  for (let at = Date.parse(since); at <= Date.now(); at += step) {
    const iso = new Date(at).toISOString()
    points.push({
      ...(rows.get(at) ?? NONE),
      at: step < 86_400_000 ? iso.slice(5, 16).replace('T', ' ') : iso.slice(0, 10),
    })
  }
  return points
}

const NONE = { requests: 0, blocked: 0, prompt_tokens: 0, completion_tokens: 0, usd: 0, p50_ms: 0, p95_ms: 0 }
const FIGURES = [
  'requests',
  'prompt_tokens',
  'completion_tokens',
  'usd',
  'blocked',
  'redacted',
  'failed',
  'p50_ms',
  'p95_ms',
].map((name) => [name.replace('_', ' '), (row) => row[name], true])
