import { call, tryGet } from './api.js'
import { ask, empty, field, h, say, table, time } from './dom.js'

/** Budgets and what they have left; topping up and resetting. */
export async function show(body) {
  const amount = h('input', { type: 'number', min: '0', step: 'any', value: '100' })
  const list = h('div', {})
  const draw = async () => {
    const found = await tryGet('/api/budgets')
    if (found === undefined)
      return body.replaceChildren(empty('The plugin budget is not enabled.', 'plugins: [{ use: budget }]'))
    list.replaceChildren(table('Budgets that were used', [...COLUMNS, ['Change', change, 'change']], found.budgets))
  }
  const change = ({ id, subject, left, unit }) => {
    const send = async (path, more) => {
      try {
        amount.complain('')
        await call('POST', `/api/budgets/${path}`, { id, subject, ...more })
        say(`${id} of ${subject} was changed.`)
        await draw()
      } catch (error) {
        if (error.param !== 'amount') throw error
        amount.complain(error.message)
        amount.focus()
      }
    }
    const reset = async () =>
      (await ask(`Let ${id} of ${subject} begin again? ${left} ${unit} are left.`, 'Reset')) && send('reset', {})
    const about = `${id} of ${subject}`
    return h(
      'div',
      { class: 'actions' },
      h(
        'button',
        {
          type: 'button',
          'aria-label': `Top up ${about}`,
          onclick: () => send('top-up', { amount: Number(amount.value) }),
        },
        'Top up',
      ),
      h('button', { type: 'button', 'aria-label': `Reset ${about}`, onclick: reset }, 'Reset'),
    )
  }
  body.append(
    h('div', {}, field('Amount to add', amount, 'In the unit of the budget; until the end of its window.')),
    list,
  )
  await draw()
}

const COLUMNS = [
  ['Budget', (row) => row.id],
  ['Of', (row) => row.subject],
  [
    'Used',
    (row) =>
      h('meter', {
        min: '0',
        max: String(row.limit || 1),
        value: row.spent,
        'aria-label': `${row.spent} of ${row.limit} ${row.unit}`,
      }),
  ],
  ['Spent', (row) => row.spent, true],
  ['Limit', (row) => row.limit, true],
  ['Left', (row) => row.left, true],
  ['Unit', (row) => row.unit],
  ['Resets', (row) => row.resets_at && time(row.resets_at)],
]
