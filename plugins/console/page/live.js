import { get } from './api.js'
import { empty, h, table, tag, time } from './dom.js'

const EVERY_MS = 1500
const AGAIN_MS = 5000
const SHOWN = 100

/** Decisions as they happen, of all processes. */
export async function show(body) {
  let paused = false
  let timer
  const seen = new Map()
  let since
  const list = h('div', {})
  const trouble = h('p', { class: 'error', role: 'status' })
  const pause = h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => toggle() }, 'Pause')
  const toggle = () => {
    paused = !paused
    pause.setAttribute('aria-pressed', String(paused))
    pause.textContent = paused ? 'Go on' : 'Pause'
  }
  body.append(
    h(
      'div',
      { class: 'bar' },
      h('p', {}, 'Decisions of the gateway, newest first. No text of requests or replies is shown.'),
      pause,
    ),
    trouble,
    list,
  )
  const look = async () => {
    if (!paused && document.visibilityState === 'visible') {
      const after = since === undefined ? '' : `?since=${encodeURIComponent(since)}`
      const { decisions, cursor } = await get(`/console/live${after}`)
      since = cursor
      trouble.textContent = ''
      for (const one of decisions) seen.set(one.id, one)
      if (decisions.length > 0 || list.childElementCount === 0) draw()
    }
    timer = setTimeout(() => look().catch(again), EVERY_MS)
  }
  const again = (error) => {
    trouble.textContent = `No news: ${error.message} Looking again in ${AGAIN_MS / 1000} seconds.`
    timer = setTimeout(() => look().catch(again), AGAIN_MS)
  }
  const draw = () => {
    const all = [...seen.values()].sort((a, b) => (a.time < b.time ? 1 : -1)).slice(0, SHOWN)
    for (const id of seen.keys()) if (seen.size > 2 * SHOWN && !all.some((one) => one.id === id)) seen.delete(id)
    list.replaceChildren(
      all.length === 0
        ? empty('No request came since this page was opened. Decisions of every worker and node appear here.')
        : table('Decisions', COLUMNS, all),
    )
  }
  await look().catch(again)
  return () => clearTimeout(timer)
}

const found = ({ detections = [] }) =>
  detections.map(({ type, count, action }) => `${count} × ${type} (${action})`).join(', ')

const COLUMNS = [
  ['Time', (row) => time(row.time, 11)],
  ['Decision', (row) => tag(row.action ?? row.type)],
  ['Key', (row) => row.key_id, 'id'],
  ['Model', (row) => row.model, 'id'],
  ['Label', (row) => row.classification],
  ['Found', found],
  ['Status', (row) => row.status, true],
  ['Tokens', (row) => (row.tokens ? row.tokens.prompt + row.tokens.completion : ''), true],
  ['ms', (row) => row.latency_ms, true],
  ['Exchange', (row) => h('a', { href: `#audit/${encodeURIComponent(row.request_id)}` }, 'timeline')],
]
