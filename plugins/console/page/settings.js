import { call, get, tryGet } from './api.js'
import { h, say, table, tag, words } from './dom.js'
import { formOf } from './forms.js'
import { options } from './options.js'
import { clear, complainAt, problemsOf } from './problems.js'

/** Forms made from the settings' JSON Schema, with the server's errors at their fields. */
export async function show(body) {
  const { plugins } = await get('/console/overview')
  const configurable = plugins.filter(({ settings }) => settings !== undefined)
  if (configurable.length === 0) body.append(h('p', {}, 'No enabled plugin has settings, such as siem and alerting.'))
  for (const { name, settings } of configurable) body.append(await section(name, settings))
  body.append(await options())
}

const LOGS = ['status', 'delivery-log', 'dead-letter']

async function section(name, { path, schema }) {
  const values = await get(path)
  const places = new Map()
  const form = formOf(withSecrets(schema, values), withoutNulls(values, schema), places)
  let before = form.read()
  const general = h('p', { class: 'error', role: 'alert' })
  const outcome = h('div', {})
  const tell = (error) => {
    const rest = complainAt(problemsOf(error), places)
    general.textContent = rest.map(({ message }) => message).join(' ')
  }
  const save = async (event) => {
    event.preventDefault()
    general.textContent = ''
    clear(places)
    try {
      const now = form.read()
      const changed = Object.keys(schema.properties).filter(
        (member) => JSON.stringify(now[member]) !== JSON.stringify(before[member]),
      )
      const body = Object.fromEntries(changed.map((member) => [member, now[member] ?? null]))
      const { warnings = [] } = await call('PUT', path, body)
      before = now
      say(`The settings of ${name} are saved. ${warnings.join(' ')}`)
    } catch (error) {
      tell(error)
    }
  }
  const test = async () => {
    outcome.replaceChildren()
    general.textContent = ''
    clear(places)
    try {
      const { destinations, ...result } = await call('POST', `${path}/test`)
      const rows = destinations ?? [result]
      outcome.replaceChildren(h('div', { role: 'status' }, tableOf(`Test of ${name}`, rows)))
    } catch (error) {
      tell(error)
    }
  }
  const log = async () => {
    const found = await Promise.all(
      LOGS.map(async (one) => [one, await tryGet(`${path}/${one}`).catch(() => undefined)]),
    )
    outcome.replaceChildren(
      ...found
        .filter(([, answer]) => answer !== undefined)
        .map(([one, answer]) => logOf(`${one.replace('-', ' ')} of ${name}`, answer)),
    )
  }
  return h(
    'section',
    { 'aria-label': `Settings of ${name}` },
    h('h2', {}, name),
    h(
      'form',
      { onsubmit: save, novalidate: true },
      form.element,
      general,
      h('button', { class: 'main' }, `Save ${name}`),
      ' ',
      h('button', { type: 'button', onclick: test }, `Test ${name}`),
      ' ',
      h('button', { type: 'button', onclick: log }, `Deliveries of ${name}`),
    ),
    outcome,
  )
}

/** The answer tells which members are secrets, set or not. */
function withSecrets(schema, values) {
  const members = Object.entries(schema.properties)
  const told = members.map(([name, one]) => [name, `${name}_set` in values ? { ...one, writeOnly: true } : one])
  return { ...schema, properties: Object.fromEntries(told) }
}

const withoutNulls = (values, { properties }) =>
  Object.fromEntries(Object.entries(values).filter(([name, one]) => Object.hasOwn(properties, name) && one !== null))

/** The first list of an answer as a table, or its members. */
function logOf(caption, answer) {
  const rows = Object.values(answer).find((value) => Array.isArray(value) && value.length > 0)
  return tableOf(caption, rows ?? Object.entries(answer).map(([member, value]) => ({ member, value })))
}

function tableOf(caption, rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, 8)
  const cell = (value) => {
    if (typeof value === 'boolean') return tag(value ? 'yes' : 'no')
    return value === null || typeof value === 'object' ? words(value ?? '').slice(0, 200) : value
  }
  return table(
    caption,
    names.map((name) => [name.replaceAll('_', ' '), (row) => cell(row[name])]),
    rows,
  )
}
