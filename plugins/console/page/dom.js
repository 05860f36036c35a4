/** Builds elements. Text only ever becomes text nodes, so that no value can be markup. */

export function h(name, members = {}, ...children) {
  return fill(document.createElement(name), members, children)
}

export function svg(name, members = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), members, children)
}

function fill(element, members, children) {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (name === 'value' || name === 'checked') element[name] = value
    else element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.flat(9).filter((child) => child !== undefined && child !== null && child !== false))
  return element
}

let count = 0

/** A labelled control. `control.field` gets the problems that the server names. */
export function field(label, control, hint) {
  const id = `f${++count}`
  control.id = id
  const help = hint === undefined ? undefined : h('div', { class: 'hint', id: `${id}h` }, hint)
  const error = h('div', { class: 'error', id: `${id}e` })
  control.setAttribute('aria-describedby', `${help ? `${id}h ` : ''}${id}e`)
  control.complain = (text) => {
    error.textContent = text
    if (text === '') control.removeAttribute('aria-invalid')
    else control.setAttribute('aria-invalid', 'true')
  }
  return h('div', { class: 'field' }, h('label', { for: id }, label), control, help, error)
}

const PROBLEMS = /^The (?:body is|settings are) not valid: /

/** Tells each problem at its control. A message names them, `url: must …; types[0]: must ….`, or the error names one. */
export function complain({ message, param }, inputs, general) {
  // A problem may have a semicolon of its own.
  const list = message.replace(PROBLEMS, '').replace(/\.$/, '')
  const problems = PROBLEMS.test(message) ? list.split(/; (?=[a-z_]+[^:; ]*: )/) : [message]
  const told = new Map()
  for (const problem of problems) {
    const [, member = '', text] = /^([a-z_]+)[^: ]*: (.*)$/s.exec(problem) ?? []
    const name = [member, param].find((one) => Object.hasOwn(inputs, one))
    if (name === undefined) general.textContent = `${general.textContent} ${problem}`.trim()
    else told.set(name, [...(told.get(name) ?? []), name === member ? text : problem])
  }
  for (const [name, texts] of told) inputs[name].complain(texts.join('; '))
  const [first] = told.keys()
  inputs[first]?.focus()
}

const shown = (value) => (typeof value === 'number' ? value.toLocaleString('en', MOST_DIGITS) : (value ?? ''))
const MOST_DIGITS = { maximumFractionDigits: 6 }

/** Says that there is nothing, and how to change that. */
export const empty = (text, example) => h('div', { class: 'empty' }, h('p', {}, text), example && h('pre', {}, example))

/**
 * Columns are `[title, (row) => cell, kind?]`: true for numbers, `id` for names that stay on one line, `name` for those that
 * need not, `change` for buttons that stay in view.
 */
export function table(caption, columns, rows) {
  const kindOf = (kind) => (kind === true ? 'n' : kind)
  const head = columns.map(([title, , kind]) => h('th', { scope: 'col', class: kindOf(kind) }, title))
  const body = rows.map((row) =>
    h('tr', {}, ...columns.map(([, cell, kind]) => h('td', { class: kindOf(kind) }, shown(cell(row))))),
  )
  return h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    h(
      'table',
      {},
      h('caption', {}, caption),
      h('thead', {}, h('tr', {}, ...head)),
      h('tbody', {}, ...(body.length > 0 ? body : [none(columns.length)])),
    ),
  )
}

const none = (columns) => h('tr', {}, h('td', { class: 'dim', colspan: columns }, 'None yet.'))

export const tag = (text) => (text ? h('span', { class: `tag ${text}` }, text) : undefined)

export const select = (values, value) =>
  h(
    'select',
    {},
    ...values.map((one) => h('option', { value: one, selected: one === value }, one === '' ? 'any' : one)),
  )

/** Lists and objects as words. */
export function words(value) {
  if (Array.isArray(value)) return value.map(words).join(', ')
  if (value === null || typeof value !== 'object') return String(value)
  const { type, count, action, direction, upstream, result, ...rest } = value
  if (type !== undefined && count !== undefined) {
    const where = direction === undefined ? '' : ` in the ${direction === 'output' ? 'reply' : 'request'}`
    return `${count} × ${type} (${action})${where}`
  }
  if (upstream !== undefined && result !== undefined) return `${upstream}: ${result}`
  return Object.entries({
    ...(type && { type }),
    ...(count !== undefined && { count }),
    ...(action && { action }),
    ...rest,
  })
    .map(([name, one]) => `${name.replaceAll('_', ' ')} ${words(one)}`)
    .join(', ')
}

/** UTC; the day can be left out. */
export const time = (iso, from = 0) =>
  h(
    'time',
    { datetime: iso, title: iso },
    String(iso)
      .replace('T', ' ')
      .slice(from)
      .replace(/\.000Z$|Z$/, ''),
  )

export function say(text) {
  const status = document.getElementById('status')
  status.textContent = text
  clearTimeout(silence)
  silence = setTimeout(() => status.replaceChildren(), SAID_MS)
}
let silence
const SAID_MS = 8000

/** Asks before what cannot be undone. */
export function ask(text, yes) {
  return new Promise((resolve) => {
    const close = (answer) => {
      dialog.close()
      dialog.remove()
      resolve(answer)
    }
    const dialog = h(
      'dialog',
      { 'aria-label': text, oncancel: () => close(false) },
      h('p', {}, text),
      h(
        'div',
        { class: 'actions end' },
        h('button', { type: 'button', autofocus: true, onclick: () => close(false) }, 'Cancel'),
        h('button', { type: 'button', class: 'danger', onclick: () => close(true) }, yes),
      ),
    )
    document.body.append(dialog)
    dialog.showModal()
  })
}

/**
 * A form in a dialog. `submit` may return what to do once the dialog is closed. What the server refuses stands at the field
 * it names.
 */
export function formDialog(title, button, submit, inputs, fields) {
  const general = h('p', { class: 'error', role: 'alert' })
  const send = async (event) => {
    event.preventDefault()
    general.textContent = ''
    for (const input of Object.values(inputs)) input.complain('')
    try {
      const then = await submit()
      dialog.close()
      then?.()
    } catch (error) {
      complain(error, inputs, general)
    }
  }
  const dialog = h(
    'dialog',
    { 'aria-label': title, onclose: () => dialog.remove() },
    h(
      'form',
      { onsubmit: send },
      h('h2', {}, title),
      h('div', { class: 'fields' }, ...fields),
      general,
      h(
        'div',
        { class: 'actions end' },
        h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
        h('button', { class: 'main' }, button),
      ),
    ),
  )
  document.body.append(dialog)
  dialog.showModal()
}

/** Shows a secret that cannot be read again. */
export function reveal(title, secret) {
  const input = h('input', { readonly: true, size: '52', value: secret })
  const dialog = h(
    'dialog',
    { 'aria-label': title, onclose: () => dialog.remove() },
    h('p', {}, `${title}. Copy it now: it is not shown again.`),
    field('Secret', input),
    h(
      'div',
      { class: 'actions end' },
      h('button', { type: 'button', class: 'main', onclick: () => dialog.close() }, 'Done'),
    ),
  )
  document.body.append(dialog)
  dialog.showModal()
  input.select()
}
