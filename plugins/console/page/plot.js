import { h, svg, table } from './dom.js'

const W = 420
const H = 150
const LEFT = 52
const BOTTOM = 22

/** Lines over time. The numbers are also a table, for those who do not see the plot. */
export function plot(title, unit, points, series) {
  const all = series.flatMap(({ value }) => points.map(value))
  const most = Math.max(...all, 0) || 1
  const x = (i) => LEFT + (points.length < 2 ? 0 : (i / (points.length - 1)) * (W - LEFT - 8))
  const y = (value) => H - BOTTOM - (value / most) * (H - BOTTOM - 10)
  const line = (value) =>
    points.map((point, i) => `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value(point) ?? 0).toFixed(1)}`).join('')
  const sum = series.map(({ name }) => name).join(', ')
  const drawing = svg(
    'svg',
    { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `${title}: ${sum}; highest ${shown(most)} ${unit}` },
    ...[0.5, 1].map((share) =>
      svg('line', { class: 'grid', x1: LEFT, y1: y(most * share), x2: W, y2: y(most * share) }),
    ),
    svg('line', { class: 'axis', x1: LEFT, y1: H - BOTTOM, x2: W, y2: H - BOTTOM }),
    svg('text', { x: LEFT - 6, y: 14, 'text-anchor': 'end' }, shown(most)),
    svg('text', { x: LEFT - 6, y: H - BOTTOM, 'text-anchor': 'end' }, '0'),
    svg('text', { x: LEFT, y: H - 6 }, points[0]?.at ?? ''),
    svg('text', { x: W, y: H - 6, 'text-anchor': 'end' }, points.at(-1)?.at ?? ''),
    svg('path', { class: 'area', d: `${line(series[0].value)}L${x(points.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z` }),
    ...series.map(({ value }, i) => svg('path', { class: `s${i}`, d: line(value) })),
  )
  const columns = [
    ['Time', ({ at }) => at],
    ...series.map(({ name, value }) => [name, (point) => shown(value(point) ?? 0), true]),
  ]
  const legend = series.map(({ name }, i) => h('span', { class: `key k${i}` }, name))
  return h(
    'figure',
    {},
    h('figcaption', {}, h('strong', {}, title), h('span', { class: 'dim' }, unit), series.length > 1 && legend),
    drawing,
    h(
      'details',
      {},
      h('summary', {}, `Numbers of ${title.toLowerCase()}`),
      table(`${title}, ${unit}`, columns, points),
    ),
  )
}

const shown = (value) =>
  value >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
