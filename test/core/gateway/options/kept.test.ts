/** Secrets that an admin keeps: they stay hidden, stay what they were, and go nowhere else. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { restored } from '../../../../core/gateway/options/restore.ts'
import { masked, secretsIn } from '../../../../core/gateway/options/secrets.ts'
import { part } from '../../../helpers/rounds.ts'
import { folder, node, type Options, opened } from './rig.ts'

// biome-ignore lint/suspicious/noTemplateCurlyInString: how the config file names the environment.
const FIRST = '${FIRST}'
const MASK = '********'
const ENV = { FIRST: 'Zq8vT3kLm92Xw71bYcR5-secret-of-the-environment' }

type Rows = { name: string; code?: string }[]
const namesOf = (options: Options | undefined) => (options?.rows as Rows | undefined)?.map(({ name }) => name)
const orders = (list: number[]): number[][] =>
  list.length === 0
    ? [[]]
    : list.flatMap((one) => orders(list.filter((other) => other !== one)).map((rest) => [one, ...rest]))

it('hides secrets of lists wherever their items go: in answers, the YAML, after a restart with another file', async (t) => {
  const rows = [{ name: 'plain' }, { name: FIRST, code: 'code-of-one' }, { name: 'two', code: 'code-of-two' }]
  const kept = orders([0, 1, 2]).flatMap((order) => [order, order.slice(0, 2), order.slice(0, 1)])
  const all = [...new Map(kept.map((one) => [one.join(), one])).values()]
  for (const order of part(all, 4, 4)) {
    const store = `file:${folder(t)}`
    const one = await opened(t, { store, options: { rows }, env: ENV })
    const given = (await one.get()).options.rows as Rows
    const put = await one.put({ rows: order.map((i) => given[i]) })
    assert.equal(put.status, 200, JSON.stringify(put.body))
    const names = ['plain', ENV.FIRST, 'two']
    assert.deepEqual(
      namesOf(one.now()),
      order.map((i) => names[i]),
    )
    const again = await one.put({ ...(await one.get()).options, most: 2 })
    assert.equal(again.status, 200)
    const answers = [put.body, again.body, await one.get(), (await one.check((await one.get()).options)).body]
    await one.gateway.close()
    const two = await opened(t, { store, options: { word: 'another' } })
    answers.push(await two.get(), (await two.put({ ...(await two.get()).options, most: 3 })).body, await two.get())
    const last = two.now()
    await two.gateway.close()
    assert.doesNotMatch(JSON.stringify([answers, one.events, one.log, two.log]), /-secret-of-the|code-of/)
    assert.deepEqual(
      namesOf(last),
      order.map((i) => names[i]),
    )
  }
})

it('hides what was sent anew in the place of a secret', async (t) => {
  const store = `file:${folder(t)}`
  const one = await opened(t, { store, options: { word: FIRST }, env: ENV })
  assert.equal((await one.put({ word: 'sent-anew' })).status, 200)
  await one.gateway.close()
  const two = await opened(t, { store, options: { word: 'plain' } })
  assert.deepEqual([two.now()?.word, (await two.get()).options.word], ['sent-anew', MASK])
  assert.equal((await two.get()).options.word, MASK)
})

it('gives a secret of the file to no other receiver than the file does', async (t) => {
  const store = `file:${folder(t)}`
  const first = await opened(t, { store, options: { url: 'https://old.example/in', auth_token: FIRST }, env: ENV })
  assert.equal((await first.put({ ...(await first.get()).options, most: 2 })).status, 200)
  await first.gateway.close()
  const moved = { url: 'https://new.example/in', auth_token: FIRST }
  await assert.rejects(
    node({ store, options: moved, env: { FIRST: 'secret-of-the-new-receiver' } }),
    ({ message }: Error) =>
      /auth_token: was to stay.*another receiver.*url is not the same/.test(message) &&
      /DELETE \/api\/plugins\/recorder\/options/.test(message) &&
      !message.includes('secret-of'),
  )
  const same = await opened(t, {
    store,
    options: { ...moved, url: 'https://old.example/in' },
    env: { FIRST: 'rotated-there' },
  })
  assert.equal(same.now()?.auth_token, 'rotated-there')
})

it('does not follow the file any more once the override has a receiver of its own', async (t) => {
  const store = `file:${folder(t)}`
  const options = { url: 'https://old.example/in', auth_token: FIRST }
  const first = await opened(t, { store, options, env: ENV })
  assert.equal((await first.put({ url: 'https://own.example/in', auth_token: ENV.FIRST })).status, 200)
  assert.equal((await first.put({ ...(await first.get()).options, most: 2 })).status, 200)
  await first.gateway.close()
  const second = await opened(t, { store, options, env: { FIRST: 'rotated-in-the-file' } })
  assert.deepEqual([second.now()?.url, second.now()?.auth_token], ['https://own.example/in', ENV.FIRST])
})

/** What is told of the secrets. */
function told(before: Options, sent: Options, schema: object = { type: 'object' }): string[] {
  const secrets = secretsIn({ schema, isBundled: true }, before)
  return restored(sent as never, before as never, schema, secrets).problems.map(({ field }) => field)
}

it('needs secrets anew when anything beside them changes that may name a receiver', () => {
  for (const name of 'url uri base proxy webhook to region account path resource upstream ip tenant zone x'.split(
    ' ',
  )) {
    const sent = { [name]: 'two.example', token: MASK }
    assert.deepEqual(told({ [name]: 'one.example', token: 't' }, sent), ['token'], name)
    assert.deepEqual(told({ token: 't' }, sent), ['token'], `${name} added`)
    assert.deepEqual(told({ [name]: 'one.example', token: 't' }, { token: MASK }), ['token'], `${name} removed`)
    assert.deepEqual(told({ [name]: 'two.example', token: 't' }, sent), [], name)
  }
  assert.deepEqual(told({ port: 80, token: 't' }, { port: 81, token: MASK }), ['token'])
  assert.deepEqual(told({ most: 80, on: true, token: 't' }, { most: 81, on: false, token: MASK }), [])
  const server = (host: string) => ({ server: { host }, auth: { token: 't' } })
  const kept = { auth: { token: MASK, token_set: true } }
  assert.deepEqual(told(server('one.example'), { ...server('two.example'), ...kept }), ['auth.token'])
  assert.deepEqual(told(server('one.example'), { ...server('one.example'), ...kept }), [])
  const choice = { type: 'object', properties: { mode: { enum: ['a', 'b'] } } }
  assert.deepEqual(told({ mode: 'a', token: 't' }, { mode: 'b', token: MASK }, choice), [])
  assert.deepEqual(told({ token: 't', password: 'p' }, { token: 'new', password: MASK }), [])
  assert.deepEqual(told({ url: 'https://one.example/a', token: 't' }, { url: 'https://one.example/b', token: MASK }), [
    'token',
  ])
})

it('keeps the secrets of a list at their items', () => {
  const item = (name: string, host = name) => ({ name, url: `https://${host}.example/`, token: `token-of-${name}` })
  const before = { list: [item('a'), item('b')] }
  const shown = masked(before, secretsIn({ schema: {}, isBundled: true }, before)) as unknown as typeof before
  const [a, b] = shown.list as unknown as [Options, Options]
  assert.deepEqual(told(before, { list: [b, a] }), [])
  assert.deepEqual(told(before, { list: [b] }), [])
  assert.deepEqual(told(before, { list: [a, b, { name: 'c', url: 'https://c.example/', token: 'sent' }] }), [])
  assert.deepEqual(told(before, { list: [{ ...a, url: 'https://b.example/' }, b] }), ['list[0].token'])
  assert.deepEqual(told(before, { list: [{ ...a, name: 'c' }, b] }), ['list[0].token'])
})

it('asks again for secrets of items that look alike when some are gone', () => {
  const before = { tokens: ['one', 'two'], rows: [{ token: 'x' }, { token: 'y' }] }
  const row = { token: MASK, token_set: true }
  const same = { tokens: [MASK, MASK], rows: [row, row] }
  assert.deepEqual(told(before, same), [])
  assert.deepEqual(told(before, { ...same, tokens: [MASK] }), ['tokens[0]'])
  assert.deepEqual(told(before, { ...same, rows: [row] }), ['rows[0].token'])
  assert.deepEqual(told(before, { ...same, tokens: [MASK, 'three', MASK] }), [])
  const { options } = restored(
    { ...same, tokens: [MASK, 'three', MASK] } as never,
    before as never,
    {},
    secretsIn({ schema: {}, isBundled: true }, before),
  )
  assert.deepEqual(options, { ...before, tokens: ['one', 'three', 'two'] })
})
