import { call, tryGet } from './api.js'
import { ask, field, h, reveal, say, select, table, tag } from './dom.js'

/** Keys and teams: create, rotate, revoke. */
export async function show(body) {
  const list = h('div', {})
  const teams = h('div', {})
  const draw = async () => {
    const found = await tryGet('/api/keys?limit=1000')
    if (found === undefined)
      return body.replaceChildren(h('p', {}, 'The plugin keys is not enabled. Keys are those of the config.'))
    list.replaceChildren(table('Keys', [...COLUMNS, ['Change', change]], found.keys))
    const known = await tryGet('/api/teams')
    teams.replaceChildren(table('Teams', TEAMS, known.teams))
  }
  const change = ({ id, source, state }) => {
    if (source === 'config' || state === 'revoked') return ''
    const rotate = async () => {
      if (!(await ask(`Make a new secret for ${id}? The old one stays valid for a while.`, 'Rotate'))) return
      const { key } = await call('POST', `/api/keys/${encodeURIComponent(id)}/rotate`, {})
      reveal(`The new secret of ${id}`, key)
      await draw()
    }
    const revoke = async () => {
      if (!(await ask(`Revoke ${id} for good? Its running requests end.`, 'Revoke'))) return
      await call('DELETE', `/api/keys/${encodeURIComponent(id)}`)
      say(`${id} was revoked.`)
      await draw()
    }
    return [
      h('button', { type: 'button', 'aria-label': `Rotate ${id}`, onclick: rotate }, 'Rotate'),
      ' ',
      h('button', { type: 'button', class: 'danger', 'aria-label': `Revoke ${id}`, onclick: revoke }, 'Revoke'),
    ]
  }
  body.append(h('h2', {}, 'New key'), creation(draw), h('h2', {}, 'Keys'), list, h('h2', {}, 'Teams'), teams)
  await draw()
}

function creation(draw) {
  const inputs = {
    id: h('input', { required: true }),
    team: h('input', {}),
    models: h('input', { value: '*' }),
    expires: h('input', { type: 'date' }),
    max_classification: select(['', 'PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'], ''),
  }
  const general = h('p', { class: 'error' })
  const create = async (event) => {
    event.preventDefault()
    for (const input of Object.values(inputs)) input.complain('')
    general.textContent = ''
    const { id, team, models, expires, max_classification: most } = inputs
    const body = {
      id: id.value.trim(),
      models: models.value.split(/[\s,]+/).filter((one) => one !== ''),
      ...(team.value.trim() !== '' && { team: team.value.trim() }),
      ...(expires.value !== '' && { expires: expires.value }),
      ...(most.value !== '' && { max_classification: most.value }),
    }
    try {
      const { key } = await call('POST', '/api/keys', body)
      event.target.reset()
      reveal(`The secret of ${body.id}`, key)
      await draw()
    } catch (error) {
      const named =
        inputs[error.param] ?? inputs[Object.keys(inputs).find((name) => error.message.includes(` ${name}: `))]
      if (named === undefined) general.textContent = error.message
      else named.complain(error.message)
    }
  }
  return h(
    'form',
    { class: 'row', onsubmit: create },
    field('Id', inputs.id),
    field('Team', inputs.team),
    field('Models', inputs.models),
    field('Expires', inputs.expires),
    field('Highest label', inputs.max_classification),
    h('button', { class: 'main' }, 'Create key'),
    general,
  )
}

const limitsOf = ({ limits = [] }) =>
  limits.map(({ unit, limit, window }) => `${limit} ${unit} per ${window.rolling ?? window}`).join(', ')

const COLUMNS = [
  ['Id', (row) => row.id],
  ['State', (row) => tag(row.state)],
  ['From', (row) => row.source],
  ['Team', (row) => row.team],
  ['Models', (row) => row.models.join(', ')],
  ['Admin', (row) => (row.admin ? 'yes' : '')],
  ['Expires', (row) => row.expires],
  ['Limits', limitsOf],
  ['Secret', (row) => (row.hint ? `…${row.hint}` : '')],
]

const TEAMS = [
  ['Team', (row) => row.name],
  ['Keys', (row) => row.keys, true],
  ['Limits', limitsOf],
]
