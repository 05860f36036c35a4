import { h } from './dom.js'

const UNITS = ['requests', 'tokens', 'usd']
const WINDOWS = ['minute', 'hour', 'day', 'week', 'month']

/** Such as `$50 per month`. */
export const limitText = ({ unit, limit, window }) => {
  const amount = unit === 'usd' ? `$${limit.toLocaleString('en')}` : `${limit.toLocaleString('en')} ${unit}`
  return `${amount} per ${window.rolling ?? window}`
}

/** Rows of limits to edit. `read` gives them as the API has them. */
export function limitsEditor(limits) {
  const list = h('ul', { class: 'limits' })
  const rows = new Set()
  const add = ({ unit = 'usd', limit = '', window = 'month' } = {}) => {
    const n = rows.size + 1
    const windows = window.rolling === undefined ? WINDOWS : [...WINDOWS, window.rolling]
    const amount = h('input', {
      ...{ type: 'number', min: '0', step: 'any', required: true, value: limit, 'aria-label': `Limit ${n}` },
    })
    const of = pick(UNITS, unit, `Unit of limit ${n}`)
    const per = pick(windows, window.rolling ?? window, `Window of limit ${n}`)
    const read = () => ({
      unit: of.value,
      limit: Number(amount.value),
      window: WINDOWS.includes(per.value) ? per.value : { rolling: per.value },
    })
    const remove = () => {
      rows.delete(read)
      item.remove()
      more.focus()
    }
    const item = h(
      'li',
      {},
      amount,
      of,
      h('span', {}, 'per'),
      per,
      h('button', { type: 'button', 'aria-label': `Remove limit ${n}`, onclick: remove }, 'Remove'),
    )
    rows.add(read)
    list.append(item)
    return amount
  }
  const more = h('button', { type: 'button', onclick: () => add().focus() }, 'Add a limit')
  for (const limit of limits) add(limit)
  return {
    element: h('fieldset', {}, h('legend', {}, 'Limits'), list, more),
    read: () => [...rows].map((row) => row()),
  }
}

const pick = (values, value, label) =>
  h(
    'select',
    { 'aria-label': label },
    ...values.map((one) => h('option', { value: one, selected: one === value }, one)),
  )
