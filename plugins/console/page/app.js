import { call, get } from './api.js'
import { field, h, say } from './dom.js'

/** The modules of the sections, loaded when first opened. */
const SECTIONS = [
  ['live', 'Live'],
  ['traffic', 'Traffic'],
  ['audit', 'Audit'],
  ['budgets', 'Budgets'],
  ['keys', 'Keys'],
  ['settings', 'Settings'],
  ['playground', 'Playground'],
  ['system', 'System'],
]

const main = document.getElementById('main')
const nav = document.getElementById('nav')
const signOut = document.getElementById('sign-out')
let leave = () => {}
let turn = 0

/** Scripts cannot see the session's cookie, and asking without one is a failed login in the audit trail. */
const mayBeOpen = {
  get: () => remember((storage) => storage.getItem(MAY_BE_OPEN) !== null) ?? true,
  set: () => remember((storage) => storage.setItem(MAY_BE_OPEN, '1')),
  clear: () => remember((storage) => storage.removeItem(MAY_BE_OPEN)),
}
const MAY_BE_OPEN = 'gateway-console'

/** Undefined if the browser keeps nothing. */
function remember(use) {
  try {
    return use(localStorage)
  } catch {
    return undefined
  }
}

function signIn(message = '') {
  leave()
  nav.hidden = true
  signOut.hidden = true
  document.title = 'Sign in – Gateway console'
  const key = h('input', { type: 'password', autocomplete: 'current-password', required: true, size: '34' })
  const enter = async (event) => {
    event.preventDefault()
    try {
      await call('POST', '/console/session', {}, { authorization: `Bearer ${key.value}` })
      mayBeOpen.set()
      await open()
    } catch (error) {
      key.complain(error.status === 401 ? 'This key is not valid.' : error.message)
      key.focus()
    }
  }
  const submit = h('button', { class: 'main' }, 'Sign in')
  main.replaceChildren(
    h(
      'div',
      { class: 'card sign-in' },
      h('h1', {}, 'Sign in'),
      h('p', { class: 'dim' }, message),
      h(
        'form',
        { onsubmit: enter },
        field('Admin key', key, 'A key of the config or of the plugin keys with admin rights.'),
        submit,
      ),
    ),
  )
  key.focus()
}

async function show() {
  const mine = ++turn
  leave()
  leave = () => {}
  const [name = 'live', argument] = location.hash.slice(1).split('/')
  const [id, title] = SECTIONS.find(([one]) => one === name) ?? SECTIONS[0]
  for (const link of nav.children) {
    if (link.hash === `#${id}`) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  document.title = `${title} – Gateway console`
  const heading = h('h1', { tabindex: '-1' }, title)
  const body = h('div', {})
  main.replaceChildren(heading, body)
  heading.focus()
  try {
    const section = await import(`./${id}.js`)
    const stop = await section.show(body, argument === undefined ? undefined : decodeURIComponent(argument))
    if (mine === turn) leave = stop ?? (() => {})
    else stop?.()
  } catch (error) {
    if (error.status !== 401) body.append(h('p', { class: 'error' }, error.message))
  }
}

async function open() {
  await get('/console/overview')
  nav.replaceChildren(...SECTIONS.map(([id, title]) => h('a', { href: `#${id}` }, title)))
  nav.hidden = false
  signOut.hidden = false
  await show()
}

signOut.addEventListener('click', async () => {
  await call('DELETE', '/console/session').catch(() => {})
  mayBeOpen.clear()
  signIn('You are signed out.')
})
window.addEventListener('hashchange', () => {
  if (!nav.hidden && location.hash !== '#main') show()
})
window.addEventListener('signed-out', () => {
  mayBeOpen.clear()
  if (!nav.hidden) signIn('The session has ended.')
})
window.addEventListener('unhandledrejection', ({ reason }) => say(String(reason?.message ?? reason)))
if (mayBeOpen.get()) open().catch(() => signIn())
else signIn()
