import { get } from './api.js'
import { field, h, select, table, tag, time } from './dom.js'
import { timeline } from './timeline.js'

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

const COLUMNS = [
  ['Time', (row) => time(row.time)],
  ['Type', (row) => row.type],
  ['Severity', (row) => tag(row.severity)],
  ['Key', (row) => row.key_id ?? row.subject, 'id'],
  ['Model', (row) => row.model, 'id'],
  ['Status', (row) => row.status, true],
  ['Reason', (row) => row.reason ?? row.code],
  ['Exchange', (row) => row.request_id && h('a', { href: `#audit/${encodeURIComponent(row.request_id)}` }, 'timeline')],
]
