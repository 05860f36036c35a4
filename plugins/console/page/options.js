import { call, get } from './api.js'
import { ask, h, say, tag } from './dom.js'
import { formOf } from './forms.js'
import { clear, complainAt, problemsOf } from './problems.js'

/** The options of every plugin, each as a form once it is opened. */
export async function options() {
  const { plugins } = await get('/api/plugins')
  return h(
    'div',
    { class: 'options' },
    h('h2', {}, 'Options of plugins'),
    h(
      'p',
      {},
      'What the config file says under `options`. A form shows what is wrong before you write it there. The file decides, with settings.override_options, which of them can be saved from here.',
    ),
    ...plugins.map((plugin) => folded(plugin)),
  )
}

function folded({ name, source }) {
  const body = h('div', {})
  const origin = h('span', {}, tag(source))
  const open = async () => {
    if (details.open && body.childElementCount === 0) await draw(name, body, origin)
  }
  const details = h(
    'details',
    { class: 'card', ontoggle: open },
    h('summary', {}, h('h3', {}, `Options of ${name}`), ' ', origin),
    body,
  )
  return details
}

async function draw(name, body, origin) {
  const path = `/api/plugins/${encodeURIComponent(name)}/options`
  const view = await get(path)
  origin.replaceChildren(tag(view.source))
  const unchanged = { 'if-match': `"${view.revision}"` }
  const places = new Map()
  const form = formOf(view.schema, view.options, places)
  const general = h('p', { class: 'error', role: 'alert' })
  const outcome = h('div', { 'aria-live': 'polite' })
  const tried = async (then) => {
    general.textContent = ''
    outcome.replaceChildren()
    clear(places)
    try {
      const value = form.read()
      const verdict = await call('POST', `${path}/check`, value)
      const rest = complainAt(verdict.problems, places)
      general.textContent = rest.map(({ message }) => message).join(' ')
      if (verdict.valid) await then(value, verdict)
    } catch (error) {
      const rest = complainAt(problemsOf(error), places)
      general.textContent = rest.map(({ message }) => message).join(' ')
    }
  }
  const check = () =>
    tried((_, { yaml, warnings }) => {
      say(`The options of ${name} are valid.`)
      outcome.replaceChildren(
        h('p', {}, `These options are valid. ${warnings.join(' ')}`),
        h('p', {}, 'For the config file, under plugins:'),
        h('pre', { tabindex: '0', 'aria-label': `Options of ${name} as YAML` }, yaml),
        h('button', { type: 'button', onclick: () => copy(yaml) }, 'Copy'),
      )
    })
  const save = () =>
    tried(async (value) => {
      const { warnings = [] } = await call('PUT', path, value, unchanged)
      await draw(name, body, origin)
      say(`The options of ${name} are saved and in force. ${warnings.join(' ')}`)
    })
  const submit = (event) => {
    event.preventDefault()
    return view.overridable ? save() : check()
  }
  const back = async () => {
    if (!(await ask(`Use the options of ${name} that the config file has?`, 'Use those of the file'))) return
    await call('DELETE', path, undefined, unchanged)
    await draw(name, body, origin)
    say(`The options of ${name} are those of the config file.`)
  }
  body.replaceChildren(
    h('p', { class: 'dim' }, originOf(view)),
    view.settings &&
      h('p', { class: 'dim' }, 'What can be changed while the gateway runs is above, under its settings.'),
    h(
      'form',
      { onsubmit: submit, novalidate: true },
      Object.keys(view.schema.properties ?? {}).length === 0 && h('p', {}, 'It has no options here.'),
      form.element,
      general,
      h(
        'div',
        { class: 'actions' },
        view.overridable && h('button', { class: 'main' }, `Save options of ${name}`),
        h('button', { type: 'button', onclick: check }, `Check options of ${name}`),
        view.source === 'override' && h('button', { type: 'button', onclick: back }, 'Use those of the file'),
        h('a', { href: '#playground' }, 'Playground'),
      ),
    ),
    outcome,
  )
}

function originOf({ source, overridable, changed_by: by, changed_at: at, applied, plugin }) {
  const pending = applied ? '' : ' This process has not taken over the newest change yet.'
  if (source === 'override') return `Saved by ${by}, ${at}, in the place of what the config file says.${pending}`
  const how = overridable
    ? 'You can save others here.'
    : `To save others here, add ${plugin} to settings.override_options in the file.`
  return `As the config file says. ${how}${pending}`
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    say('Copied.')
  } catch {
    say('This browser does not copy: select the text.')
  }
}
