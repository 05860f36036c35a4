import { field, h } from './dom.js'

/** Forms made from JSON Schema. What a form cannot express is a text field with JSON. */

const MASK = '********'

/**
 * A control for a value: its element, and `read`, which throws after it said at its place what is wrong. Undefined stands for
 * what is not set. `places` gets what may complain, by path: `limits[0].limit`.
 */
export function formOf(schema, value, places, root = schema) {
  return control({
    schema: resolved(schema, root),
    value: value ?? {},
    path: '',
    label: 'options',
    places,
    root,
    bare: true,
  })
}

const joined = (path, step) => {
  if (typeof step === 'number') return `${path}[${step}]`
  if (!/^[A-Za-z_][\w-]*$/.test(step)) return `${path}[${JSON.stringify(step)}]`
  return path === '' ? step : `${path}.${step}`
}

function resolved(schema, root) {
  if (typeof schema?.$ref !== 'string') return schema
  const found = schema.$ref
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .reduce((node, step) => node?.[step], root)
  return { ...resolved(found, root), ...schema, $ref: undefined }
}

function control(at) {
  const { schema, value } = at
  if (value === MASK || (schema.writeOnly && schema.type === 'string')) return secret(at)
  if (Array.isArray(schema.enum)) return choice(at)
  if (schema.type === 'boolean') return choice({ ...at, schema: { ...schema, enum: [true, false] } })
  if (schema.type === 'integer' || schema.type === 'number') return number(at)
  if (schema.type === 'string') return text(at)
  if (schema.type === 'array' && schema.items && !Array.isArray(schema.items)) return list(at)
  if (schema.type === 'object' && schema.properties) return group(at)
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') return map(at)
  const branches = (schema.anyOf ?? schema.oneOf)?.map((one) => resolved(one, at.root))
  if (branches?.every((one) => one.type || one.enum || one.const !== undefined)) return union(at, branches)
  return json(at)
}

/** With its label, its description, and the place of its problems. */
function placed({ label, path, schema, places }, input) {
  const element = field(label, input, schema.description)
  places.set(path, input)
  return element
}

const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value))
const defaultOf = ({ default: value }) =>
  value === undefined || typeof value === 'object' ? '' : `default ${shown(value)}`

function secret(at) {
  const input = h('input', { type: 'password', size: '60', autocomplete: 'off' })
  const isSet = at.value === MASK
  if (isSet) input.placeholder = 'set; stays as it is unless you type'
  let isGone = false
  const remove = h('button', { type: 'button' }, `Remove ${at.label}`)
  remove.addEventListener('click', () => {
    isGone = true
    input.placeholder = 'removed'
    remove.remove()
  })
  const element = placed(at, input)
  if (isSet) element.append(remove)
  const isNumber = at.schema.type === 'integer' || at.schema.type === 'number'
  const read = () => {
    if (input.value === '') return isSet && !isGone ? MASK : undefined
    return isNumber ? Number(input.value) : input.value
  }
  return { element, read }
}

function choice(at) {
  const { schema, value } = at
  const none = h('option', { value: '' }, defaultOf(schema) || 'not set')
  const options = schema.enum.map((one, i) => h('option', { value: String(i), selected: one === value }, shown(one)))
  const input = h('select', {}, none, ...options)
  return { element: placed(at, input), read: () => (input.value === '' ? undefined : schema.enum[Number(input.value)]) }
}

function number(at) {
  const step = at.schema.type === 'integer' ? '1' : 'any'
  const input = h('input', { type: 'number', step, value: at.value ?? '', placeholder: defaultOf(at.schema) })
  const read = () => {
    if (input.validity.badInput) throw wrong(input, 'must be a number')
    return input.value === '' ? undefined : Number(input.value)
  }
  return { element: placed(at, input), read }
}

function text(at) {
  if (String(at.value ?? '').includes('\r')) return json(at)
  const members = { value: at.value ?? '', placeholder: defaultOf(at.schema), spellcheck: 'false', autocomplete: 'off' }
  const input = String(at.value ?? '').includes('\n')
    ? h('textarea', members)
    : h('input', { type: 'text', size: '60', ...members })
  const unset = at.value === '' ? '' : undefined
  return { element: placed(at, input), read: () => (input.value === '' ? unset : input.value) }
}

function wrong(input, message) {
  input.complain(message)
  input.focus()
  return new Error('A field is not valid.')
}

function json(at) {
  const value = at.value === undefined ? '' : JSON.stringify(at.value, null, 2)
  const input = h('textarea', { spellcheck: 'false', value })
  const schema = { ...at.schema, description: `${at.schema.description ?? ''} As JSON.`.trim() }
  const read = () => {
    if (input.value.trim() === '') return undefined
    try {
      return JSON.parse(input.value)
    } catch {
      throw wrong(input, 'This is not JSON.')
    }
  }
  return { element: placed({ ...at, schema }, input), read }
}

/** A set of controls with a name. Its problems stand below the name. */
function box({ label, path, schema, places }, ...children) {
  const error = h('p', { class: 'error' })
  const element = h(
    'fieldset',
    { tabindex: '-1' },
    h('legend', {}, label),
    schema.description && h('p', { class: 'hint' }, schema.description),
    error,
    ...children,
  )
  places.set(path, { complain: (problem) => (error.textContent = problem), focus: () => element.focus() })
  return element
}

/** A member that only answers have. */
const isMark = (name, given) => name.endsWith('_set') && [MASK, null].includes(given[name.slice(0, -4)])

function group(at) {
  const { schema, value, path, places, root } = at
  const given = value ?? {}
  const members = Object.entries(schema.properties).filter(([, one]) => one !== false)
  const controls = members.map(([name, one]) => {
    const inner = resolved(one, root)
    const label = schema.required?.includes(name) ? `${name} (required)` : name
    return [name, control({ schema: inner, value: given[name], path: joined(path, name), label, places, root })]
  })
  const elements = controls.map(([, { element }]) => element)
  // A form may not know all members that the schema allows.
  const isKnown = (name) => Object.hasOwn(schema.properties, name) || isMark(name, given)
  const others = Object.entries(given).filter(([name]) => !isKnown(name))
  const read = () => {
    const set = controls.map(([name, one]) => [name, one.read()]).filter(([, one]) => one !== undefined)
    return set.length === 0 && value === undefined ? undefined : Object.fromEntries([...set, ...others])
  }
  return { element: at.bare ? h('div', {}, ...elements) : box(at, ...elements), read }
}

/** Rows that can be added and removed. `make` returns a control for the row with this path. */
function rows(at, initial, what, make) {
  const list = h('div', {})
  let all = []
  let count = 0
  const add = (value, name) => {
    const row = { ...make(value, name, (one) => joined(at.path, one), count), at: count++ }
    const remove = h('button', { type: 'button' }, `Remove ${what} ${row.at + 1}`)
    remove.addEventListener('click', () => {
      all = all.filter((one) => one !== row)
      row.frame.remove()
      more.focus()
    })
    row.frame = h('div', { class: 'item' }, row.element, remove)
    all.push(row)
    list.append(row.frame)
    return row
  }
  const more = h('button', { type: 'button' }, `Add to ${at.label}`)
  more.addEventListener('click', () =>
    add(undefined, undefined).frame.querySelector('input, select, textarea')?.focus(),
  )
  for (const [name, value] of initial) add(value, name)
  return { element: box(at, list, more), rows: () => all }
}

/** Places of rows, whose numbers change when others are removed. */
class RowPlaces {
  #inner = new Map()
  set(path, place) {
    this.#inner.set(path, place)
  }
  delete(path) {
    this.#inner.delete(path)
  }
  /** Tells `places` where the row is now: at `to`, not at `from`. */
  move(places, from, to) {
    for (const [path, place] of this.#inner) places.set(to + path.slice(from.length), place)
  }
}

function list(at) {
  const { schema, value, path, places, root } = at
  const items = resolved(schema.items, root)
  if (items.enum && items.enum.length <= 12) return checks(at, items)
  if (items.type === 'string' && !value?.includes(MASK) && !items.writeOnly) return lines(at, (line) => line)
  if (items.type === 'integer' || items.type === 'number') return lines(at, Number)
  const made = rows(
    at,
    (value ?? []).map((one) => [undefined, one]),
    at.label,
    (one, _, pathOf, i) => {
      const inner = new RowPlaces()
      const label = `${at.label} ${i + 1}`
      return {
        ...control({ schema: items, value: one, path: pathOf(i), label, places: inner, root }),
        inner,
        from: pathOf(i),
      }
    },
  )
  const read = () => {
    const all = made.rows()
    for (const [i, row] of all.entries()) row.inner.move(places, row.from, joined(path, i))
    const values = all.map((row) => row.read() ?? {})
    return values.length === 0 && value === undefined ? undefined : values
  }
  return { element: made.element, read }
}

/** Whether a text is the same again when it stood in a line of its own. */
const isLine = (one) => typeof one !== 'string' || (one !== '' && one.trim() === one && !/[\r\n]/.test(one))

function lines(at, parsed) {
  if (!(at.value ?? []).every(isLine)) return json(at)
  const input = h('textarea', { spellcheck: 'false', value: (at.value ?? []).map(shown).join('\n') })
  const preset = at.schema.default?.length > 0 ? ` Default: ${at.schema.default.map(shown).join(', ')}.` : ''
  const schema = { ...at.schema, description: `${at.schema.description ?? ''} One a line.${preset}`.trim() }
  const read = () => {
    const set = input.value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    if (set.length === 0 && at.value === undefined) return undefined
    const values = set.map(parsed)
    if (values.some((one) => Number.isNaN(one))) throw wrong(input, 'must be numbers')
    return values
  }
  return { element: placed({ ...at, schema }, input), read }
}

function checks(at, items) {
  const boxes = items.enum.map((one) => {
    const input = h('input', { type: 'checkbox', checked: (at.value ?? []).includes(one) })
    return [one, input, h('label', { class: 'check' }, input, ` ${shown(one)}`)]
  })
  const read = () => {
    const set = boxes.flatMap(([one, input]) => (input.checked ? [one] : []))
    return set.length === 0 && at.value === undefined ? undefined : set
  }
  return { element: box(at, ...boxes.map(([, , label]) => label)), read }
}

function map(at) {
  const { schema, value, path, places, root } = at
  const inside = resolved(schema.additionalProperties, root)
  const known = Object.entries(value ?? {}).filter(
    ([name]) => !(name.endsWith('_set') && value[name.slice(0, -4)] === MASK),
  )
  const made = rows(at, known, at.label, (one, name = '', pathOf, i) => {
    const inner = new RowPlaces()
    const key = h('input', { type: 'text', size: '30', value: name, spellcheck: 'false', autocomplete: 'off' })
    const keyField = field(`Name ${i + 1} in ${at.label}`, key)
    const made = control({
      schema: inside,
      value: one,
      path: pathOf('x'),
      label: `Value ${i + 1} of ${at.label}`,
      places: inner,
      root,
    })
    return { ...made, element: h('div', {}, keyField, made.element), key, inner, from: pathOf('x') }
  })
  const read = () => {
    const result = {}
    for (const row of made.rows()) {
      const name = row.key.value.trim()
      if (name === '' || Object.hasOwn(result, name))
        throw wrong(row.key, name === '' ? 'needs a name' : 'is there twice')
      row.inner.move(places, row.from, joined(path, name))
      result[name] = row.read() ?? (inside.type === 'object' ? {} : '')
    }
    return Object.keys(result).length === 0 && value === undefined ? undefined : result
  }
  return { element: made.element, read }
}

const kindOf = (value) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)

function fits(schema, value) {
  if (schema.enum) return schema.enum.includes(value)
  if (schema.const !== undefined) return schema.const === value
  const kind = kindOf(value)
  if (![schema.type].flat().some((type) => type === kind || (kind === 'number' && type === 'integer'))) return false
  return kind !== 'object' || (schema.required ?? []).every((name) => Object.hasOwn(value, name))
}

function nameOf(schema) {
  if (schema.title) return schema.title
  if (schema.enum) return `one of ${schema.enum.map(shown).join(', ')}`
  if (schema.const !== undefined) return shown(schema.const)
  const members = Object.keys(schema.properties ?? {})
  if (members.length > 0) return `with ${members.slice(0, 4).join(', ')}`
  return schema.type === 'array' ? 'a list' : String(schema.type)
}

/** One of several forms: a choice of the form, and its control. */
function union(at, branches) {
  const { value, label, path, places, root } = at
  const body = h('div', {})
  const own = new Set()
  let current
  const pick = h(
    'select',
    {},
    h('option', { value: '' }, defaultOf(at.schema) || 'not set'),
    ...branches.map((one, i) => h('option', { value: String(i) }, nameOf(one))),
  )
  const start = value === undefined ? -1 : branches.findIndex((one) => fits(one, value))
  if (value !== undefined && start < 0) return json(at)
  const draw = (given) => {
    for (const one of own) places.delete(one)
    own.clear()
    const branch = branches[Number(pick.value)]
    current = undefined
    body.replaceChildren()
    if (pick.value === '' || branch.const !== undefined) return
    const noted = {
      set: (one, place) => {
        if (one === path) return
        own.add(one)
        places.set(one, place)
      },
      delete: (one) => places.delete(one),
    }
    const inner = {
      schema: { ...branch, description: branch.description },
      value: given,
      path,
      label: `${label}: value`,
    }
    current = control({ ...inner, places: noted, root })
    body.append(current.element)
  }
  const element = h('div', { class: 'union' }, placed({ ...at, label: `${label}: form` }, pick), body)
  pick.addEventListener('change', () => draw(undefined))
  pick.value = start < 0 ? '' : String(start)
  draw(value)
  const read = () => {
    if (pick.value === '') return undefined
    const branch = branches[Number(pick.value)]
    return branch.const !== undefined ? branch.const : (current.read() ?? (branch.type === 'object' ? {} : undefined))
  }
  return { element, read }
}
