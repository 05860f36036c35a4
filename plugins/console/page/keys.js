import { call, tryGet } from './api.js'
import { ask, empty, field, formDialog, h, reveal, say, select, table, tag } from './dom.js'
import { limitsEditor, limitText } from './limits.js'

const LABELS = ['', 'PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED']

/** Keys and teams: create, change, rotate, revoke. */
export async function show(body) {
  const list = h('div', {})
  const teams = h('div', {})
  const draw = async () => {
    const found = await tryGet('/api/keys?limit=1000')
    if (found === undefined)
      return body.replaceChildren(
        empty('The plugin keys is not enabled, so the keys are those of the config.', 'plugins: [{ use: keys }]'),
      )
    list.replaceChildren(table('Keys', [...COLUMNS, ['Change', (row) => changes(row, draw), 'change']], found.keys))
    const known = await tryGet('/api/teams')
    teams.replaceChildren(
      known.teams.length === 0
        ? empty('No key has a team yet.')
        : table('Teams', [...TEAMS, ['Change', (row) => teamChange(row, draw), 'change']], known.teams),
    )
  }
  const create = h('button', { type: 'button', class: 'main', onclick: () => edit(undefined, draw) }, 'New key')
  const team = h('button', { type: 'button', onclick: () => editTeam(undefined, draw) }, 'Limits for a team')
  body.append(
    h('div', { class: 'bar' }, h('p', {}, 'Changes hold on every worker and node within a second.'), create),
    list,
    h('div', { class: 'bar' }, h('h2', {}, 'Teams'), team),
    teams,
  )
  await draw()
}

function changes(key, draw) {
  const { id, source, state } = key
  if (source === 'config') return h('span', { class: 'dim' }, 'in the config')
  if (state === 'revoked') return ''
  const at = `/api/keys/${encodeURIComponent(id)}`
  const rotate = async () => {
    if (!(await ask(`Make a new secret for ${id}? The old one stays valid for a while.`, 'Rotate'))) return
    const { key: secret } = await call('POST', `${at}/rotate`, {})
    reveal(`The new secret of ${id}`, secret)
    await draw()
  }
  const revoke = async () => {
    if (!(await ask(`Revoke ${id} for good? Its running requests end.`, 'Revoke'))) return
    await call('DELETE', at)
    say(`${id} was revoked.`)
    await draw()
  }
  const button = (name, onclick, more = {}) =>
    h('button', { type: 'button', 'aria-label': `${name} ${id}`, onclick, ...more }, name)
  return h(
    'div',
    { class: 'actions' },
    button('Edit', () => edit(key, draw)),
    button('Rotate', rotate),
    button('Revoke', revoke, { class: 'danger' }),
  )
}

/** A new key, or what of a key was changed. */
function edit(key, draw) {
  const inputs = {
    id: h('input', { required: true, value: key?.id ?? '', disabled: key !== undefined }),
    description: h('input', { value: key?.description ?? '', maxlength: '256' }),
    team: h('input', { value: key?.team ?? '' }),
    models: h('input', { value: (key?.models ?? ['*']).join(', ') }),
    expires: h('input', { value: key?.expires ?? '', placeholder: '2027-12-31' }),
    max_classification: select(LABELS, key?.max_classification ?? ''),
    disabled: h('input', { type: 'checkbox', checked: key?.disabled === true }),
    admin: h('input', { type: 'checkbox', checked: key?.admin === true }),
  }
  const limits = limitsEditor(key?.limits ?? [])
  const read = () => ({
    ...Object.fromEntries(
      ['description', 'team', 'expires', 'max_classification'].map((name) => [name, inputs[name].value.trim() || null]),
    ),
    models: inputs.models.value.split(/[\s,]+/).filter((one) => one !== ''),
    disabled: inputs.disabled.checked,
    admin: inputs.admin.checked,
    limits: limits.read(),
  })
  const before = read()
  const submit = async () => {
    const now = read()
    if (key === undefined) {
      const given = Object.entries(now).filter(([name, value]) => value !== null && !same(value, DEFAULTS[name]))
      const made = await call('POST', '/api/keys', { id: inputs.id.value.trim(), ...Object.fromEntries(given) })
      await draw()
      return () => reveal(`The secret of ${made.id}`, made.key)
    }
    const changed = Object.entries(now).filter(([name, value]) => !same(value, before[name]))
    if (changed.length > 0) await call('PATCH', `/api/keys/${encodeURIComponent(key.id)}`, Object.fromEntries(changed))
    say(changed.length === 0 ? 'Nothing was changed.' : `${key.id} was changed.`)
    await draw()
  }
  formDialog(
    key === undefined ? 'New key' : `Key ${key.id}`,
    key === undefined ? 'Create key' : 'Save',
    submit,
    inputs,
    [
      field('Id', inputs.id, 'Letters, digits, dot, _ and -; at most 64.'),
      field('Description', inputs.description),
      field('Team', inputs.team),
      field('Models', inputs.models, 'Names or globs, separated by commas; * for all.'),
      field('Expires', inputs.expires, 'A date, UTC; empty for never.'),
      field('Highest label', inputs.max_classification),
      field('Admin', inputs.admin),
      field('Disabled', inputs.disabled),
      limits.element,
    ],
  )
}

const DEFAULTS = { models: ['*'], disabled: false, admin: false, limits: [] }
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)

function teamChange(team, draw) {
  const label = `Edit limits of team ${team.name}`
  return h('button', { type: 'button', 'aria-label': label, onclick: () => editTeam(team, draw) }, 'Edit limits')
}

/** Limits that all keys and tokens of a team share. */
function editTeam(team, draw) {
  const inputs = { name: h('input', { required: true, value: team?.name ?? '', disabled: team !== undefined }) }
  const limits = limitsEditor(team?.limits ?? [])
  const submit = async () => {
    const name = inputs.name.value.trim()
    const wanted = limits.read()
    if (wanted.length > 0 || team === undefined)
      await call('PUT', `/api/teams/${encodeURIComponent(name)}`, { limits: wanted })
    else if (team.limits.length > 0) await call('DELETE', `/api/teams/${encodeURIComponent(name)}`)
    say(`The limits of ${name} are saved.`)
    await draw()
  }
  const title = team === undefined ? 'Limits for a team' : `Limits of team ${team.name}`
  formDialog(title, 'Save', submit, inputs, [
    field('Team name', inputs.name, 'As its keys name it, or a claim of its tokens.'),
    limits.element,
  ])
}

const shownLimits = ({ limits = [] }) =>
  h('ul', { class: 'plain' }, ...limits.map((one) => h('li', {}, limitText(one))))

const COLUMNS = [
  ['Id', (row) => [h('strong', {}, row.id), row.description && h('div', { class: 'hint' }, row.description)]],
  ['State', (row) => [tag(row.state), row.admin && ' ', row.admin && tag('admin')]],
  ['Team', (row) => row.team],
  ['Models', ({ models }) => (models.join() === '*' ? 'all' : models.join(', ') || 'none')],
  ['Label up to', (row) => row.max_classification],
  ['Expires', ({ expires }) => expires && h('time', {}, expires)],
  ['Limits', shownLimits],
  ['Secret', (row) => (row.hint ? h('code', {}, `…${row.hint}`) : '')],
]

const TEAMS = [
  ['Team', (row) => h('strong', {}, row.name)],
  ['Keys', (row) => row.keys, true],
  ['Limits', shownLimits],
]
