import { call, get, tryGet } from './api.js'
import { complain, field, h, say, select, table, tag, words } from './dom.js'
import { options } from './options.js'

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
  const controls = new Map()
  const general = h('p', { class: 'error', role: 'alert' })
  const outcome = h('div', {})
  const save = async (event) => {
    event.preventDefault()
    general.textContent = ''
    for (const { input } of controls.values()) input.complain('')
    const changed = {}
    try {
      for (const [member, { read, before }] of controls) {
        const value = read()
        if (JSON.stringify(value) !== before) changed[member] = value ?? null
      }
      const { warnings = [] } = await call('PUT', path, changed)
      for (const control of controls.values()) control.before = JSON.stringify(control.read())
      say(`The settings of ${name} are saved. ${warnings.join(' ')}`)
    } catch (error) {
      complain(error, Object.fromEntries([...controls].map(([member, { input }]) => [member, input])), general)
    }
  }
  const test = async () => {
    outcome.replaceChildren()
    for (const { input } of controls.values()) input.complain('')
    try {
      const { destinations, ...result } = await call('POST', `${path}/test`)
      const rows = destinations ?? [result]
      outcome.replaceChildren(h('div', { role: 'status' }, tableOf(`Test of ${name}`, rows)))
    } catch (error) {
      const input = controls.get(error.param)?.input
      if (input === undefined) outcome.replaceChildren(h('p', { class: 'error', role: 'alert' }, error.message))
      else {
        input.complain(error.message)
        input.focus()
      }
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
  const fields = Object.entries(schema.properties).map(([member, one]) => {
    const control = controlOf(one, values[member], values[`${member}_set`])
    controls.set(member, { ...control, before: JSON.stringify(control.read()) })
    return field(member, control.input, one.description)
  })
  return h(
    'section',
    { 'aria-label': `Settings of ${name}` },
    h('h2', {}, name),
    h(
      'form',
      { onsubmit: save },
      ...fields,
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

function controlOf(schema, value, isSet) {
  if (schema.type === 'boolean') {
    const input = h('input', { type: 'checkbox', checked: value === true })
    return { input, read: () => input.checked }
  }
  if (Array.isArray(schema.enum)) {
    const input = select(value === undefined ? ['', ...schema.enum] : schema.enum, value)
    return { input, read: () => (input.value === '' ? undefined : input.value) }
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    const input = h('input', { type: 'number', step: schema.type === 'integer' ? '1' : 'any', value: value ?? '' })
    return { input, read: () => (input.value === '' ? undefined : Number(input.value)) }
  }
  if (schema.type === 'string') {
    const secret = isSet !== undefined
    const input = h('input', {
      type: secret ? 'password' : 'text',
      size: '60',
      autocomplete: 'off',
      value: value ?? '',
    })
    return { input, read: () => (input.value === '' ? undefined : input.value) }
  }
  if (schema.type === 'array' && schema.items?.type === 'string') {
    const input = h('textarea', { value: (value ?? []).join('\n') })
    return {
      input,
      read: () =>
        input.value
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
    }
  }
  const input = h('textarea', { spellcheck: 'false', value: value === undefined ? '' : JSON.stringify(value, null, 2) })
  const read = () => {
    if (input.value.trim() === '') return undefined
    try {
      return JSON.parse(input.value)
    } catch {
      input.complain('This is not JSON.')
      throw new Error('A field is not JSON.')
    }
  }
  return { input, read }
}

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
