/** Values that are cut over two texts of a request. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin, type PluginSpec, type TextView } from 'governed-gateway'
import { testPlugin } from 'governed-gateway/testing'
import pii from '../../../../plugins/pii/index.ts'
import policy from '../../../../plugins/policy/index.ts'
import secrets from '../../../../plugins/secrets/index.ts'

const CARD = '4111 1111 1111 1111'
const MAIL = 'jo.smith@acme.com'

interface Message {
  readonly role: string
  readonly content: unknown
  readonly tool_call_id?: string
}

const said = (role: string, ...contents: unknown[]): Message[] =>
  contents.map((content, i) => ({ role, content, ...(role === 'tool' && { tool_call_id: `call_${i}` }) }))
const user = (...contents: unknown[]): Message[] => said('user', ...contents)
const model = (content: unknown): Message => ({ role: 'assistant', content })

/** The contents that the provider gets; undefined when it gets nothing. */
async function sent(
  messages: readonly Message[],
  {
    plugin = pii as PluginSpec<never>,
    action = 'redact',
    options = { action } as object,
    detections = undefined as Readonly<Record<string, number>> | undefined,
  } = {},
): Promise<unknown[] | undefined> {
  let out: unknown[] | undefined
  await testPlugin(plugin as never, {
    options,
    variants: ['buffered'],
    request: { messages: messages as never },
    ...(detections !== undefined && { expect: { detections } }),
    check: (result) => {
      const body = result.sent?.body as { messages: Message[] } | undefined
      out = body?.messages.map(({ content }) => content).filter((content) => !String(content).startsWith('Some values'))
    },
  })
  return out
}

/** Nothing is found, nothing is altered. */
async function stays(messages: readonly Message[], plugin: unknown = pii): Promise<void> {
  const contents = messages.map(({ content }) => content)
  assert.deepEqual(
    await sent(messages, { plugin: plugin as never, detections: {}, ...(plugin !== pii && { options: {} }) }),
    contents,
  )
}

describe('a value cut over two texts', () => {
  const cuts: readonly (readonly [name: string, messages: Message[], expected: unknown[]])[] = [
    ['of a user', user('my card is 4111 1111', '1111 1111 thanks'), ['my card is [CREDIT_CARD]', ' thanks']],
    [
      'of a user, with an answer in between',
      [...user('my card is 4111 1111'), model('Go on!'), ...user('1111 1111 thanks')],
      ['my card is [CREDIT_CARD]', 'Go on!', ' thanks'],
    ],
    [
      'the system and a user',
      [...said('system', 'The card is 4111 1111'), ...user('1111 1111, take it')],
      ['The card is [CREDIT_CARD]', ', take it'],
    ],
    [
      'a user and the model',
      [...user('my card is 4111 1111'), model('1111 1111 is the rest')],
      ['my card is [CREDIT_CARD]', ' is the rest'],
    ],
    [
      'results of tools',
      said('tool', 'Name: Jo\nCard: 4111 1111', '1111 1111\nEnd'),
      ['Name: Jo\nCard: [CREDIT_CARD]', '\nEnd'],
    ],
    ['developers', said('developer', 'card 4111 1111', '1111 1111.'), ['card [CREDIT_CARD]', '.']],
    ['in the middle of a group', user('card 4111 111', '1 1111 1111 ok'), ['card [CREDIT_CARD]', ' ok']],
    ['with ends of lines at the cut', user('card 4111 1111\n', '\n1111 1111 ok'), ['card [CREDIT_CARD]\n', '\n ok']],
    ['in the middle of a word', user('Write to jo.smith@ac', 'me.com now'), ['Write to [EMAIL]', ' now']],
    ['behind its @', user('Write to jo.smith@', 'acme.com now'), ['Write to [EMAIL]', ' now']],
    ['behind a dot between digits', user('ssh to 10.198.227.', '79 now'), ['ssh to [IP_ADDRESS]', ' now']],
    [
      'though its first half may be a number of another country',
      user('Cell 784-711-33', '30, thanks'),
      ['Cell [PHONE]', ', thanks'],
    ],
    ['before its dot', user('Write to jo.smith@acme', '.com now'), ['Write to [EMAIL]', ' now']],
  ]
  for (const [name, messages, expected] of cuts) {
    it(`is found: ${name}`, async () => {
      const [type] = String(expected[0]).match(/(?<=\[)\w+/) ?? []
      assert.deepEqual(await sent(messages, { detections: { [String(type).toLowerCase()]: 1 } }), expected)
    })
  }

  it('is found at the end of a long text, and in parts', async () => {
    const long = 'word '.repeat(4000)
    const parts = [
      { type: 'text', text: 'Well' },
      { type: 'text', text: `${long}card 4111` },
    ]
    const out = await sent(user(parts, `1111 1111 1111 ${long}`), { detections: { credit_card: 1 } })
    assert.deepEqual(out, [[parts[0], { type: 'text', text: `${long}card [CREDIT_CARD]` }], ` ${long}`])
  })

  it('is found between the parts of one message, at the border of a group too', async () => {
    const part = (text: string) => ({ type: 'text', text })
    const out = await sent(user([part('card 4111 1111'), part('1111 1111 ok')]), { detections: { credit_card: 1 } })
    assert.deepEqual(out, [[part('card [CREDIT_CARD]'), part(' ok')]])
  })

  it('is found over more than two texts, of which none becomes empty', async () => {
    const out = await sent(user('my card: 4111', '1111 ', '1111', '1111, thanks'), { detections: { credit_card: 1 } })
    assert.deepEqual(out, ['my card: [CREDIT_CARD]', '… ', '…', ', thanks'])
  })

  it('becomes one token', async () => {
    const out = await sent(user('Write to jo.smi', 'th@acme.com now'), { action: 'tokenize', detections: { email: 1 } })
    assert.match(String(out?.[0]), /^Write to \[?EMAIL_\w+\]?$/)
    assert.equal(out?.[1], ' now')
  })

  it('is refused, or only counted', async () => {
    const messages = user('my card is 4111 1111', '1111 1111 thanks')
    assert.equal(await sent(messages, { action: 'block' }), undefined)
    const contents = messages.map(({ content }) => content)
    assert.deepEqual(await sent(messages, { action: 'detect', detections: { credit_card: 1 } }), contents)
  })

  it('is found though its first half may be a number of another kind', async () => {
    const out = await sent(user('Her SSN is 439-57-6', '342, please file it.'))
    assert.match(String(out?.[0]), /^Her SSN is \[[A-Z_]+\]$/)
    assert.equal(out?.[1], ', please file it.')
  })

  it('may be a key of letters at the cut', async () => {
    const out = await sent(user('use `AK', 'IASTVV4TCTVQR4PYYF` for it'), {
      plugin: secrets as never,
      options: { input: 'redact' },
    })
    assert.equal((out as string[]).join('').includes('STVV4TCT'), false)
  })

  it('may be a key', async () => {
    const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    const out = await sent(user(`use ${key.slice(0, 20)}`, `${key.slice(20)} please`), {
      plugin: secrets as never,
      options: { input: 'redact' },
    })
    assert.equal((out as string[]).join('').includes(key.slice(22, 30)), false)
    assert.equal((out as string[])[1], ' please')
  })

  it('may be a phrase of a rule; a rule for a role is for texts of this role', async () => {
    const options = (roles?: string[]) => ({
      rules: [{ name: 'falcon', keywords: ['project falcon'], action: 'redact', ...(roles && { roles }) }],
    })
    const plugin = policy as never
    const cut = user('We call it Project', 'Falcon, and so on')
    const mixed = [...said('system', 'We call it Project'), ...user('Falcon, and so on')]
    const found = ['We call it [FALCON]', ', and so on']
    assert.deepEqual(await sent(cut, { plugin, options: options() }), found)
    assert.deepEqual(await sent(cut, { plugin, options: options(['user']) }), found)
    assert.deepEqual(await sent(mixed, { plugin, options: options() }), found)
    assert.deepEqual(await sent(mixed, { plugin, options: options(['user']) }), [
      'We call it Project',
      'Falcon, and so on',
    ])
  })
})

describe('two texts', () => {
  const harmless: readonly (readonly [name: string, messages: Message[]])[] = [
    ['numbers that are whole', said('tool', '41111111', '11111111')],
    ['numbers of sentences', user('The order is 41111111', '11111111 is the invoice')],
    ['sentences', user('It was 1999.', '4111 1111 1111 times')],
    ['a year and an answer', [...user('Who won in 2022'), model('2022 was won by Argentina')]],
    ['small numbers', said('tool', '12', '7', '1999', '42', '555', '1234')],
    ['an address and a word', user('Reply to acme.com', 'jo is there')],
  ]
  for (const [name, messages] of harmless) it(`stay: ${name}`, () => stays(messages))

  it('stay apart where the first has a whole value', async () => {
    assert.deepEqual(await sent(user('Cell 784-711-3330', '30 people came'), { detections: { phone: 1 } }), [
      'Cell [PHONE]',
      '30 people came',
    ])
    await stays(user('That is item 45.', '10 people came'))
  })

  it('count a value once that is whole in one of them', async () => {
    for (const messages of [user(`card ${CARD}`, '1111 ok'), user(`to ${MAIL}`, 'now'), user('at 12', `${MAIL} or`)]) {
      const type = String(messages[0]?.content).startsWith('card') ? 'credit_card' : 'email'
      const out = await sent(messages, { detections: { [type]: 1 } })
      assert.equal(String(out).match(/\[/g)?.length, 1)
    }
  })
})

describe('a plugin', () => {
  it('sees the borders of short texts once, bounded, and marked', async () => {
    const seen: string[] = []
    const looker = definePlugin({
      name: 'looker',
      schema: { type: 'object', additionalProperties: false, properties: {} },
      create: () => ({
        detect({ direction, reading, text, role, borders }: TextView) {
          if (direction === 'input' && reading === 'border') seen.push(JSON.stringify([role, text, borders]))
        },
      }),
    })
    const long = 'abc '.repeat(1000)
    await sent([...said('system', `${long}end`), ...user('one', 'two', `3 ${long}`)], {
      plugin: looker as never,
      options: {},
    })
    for (const text of seen) assert.ok(text.length < 400)
    assert.deepEqual(
      seen.map((text) => [JSON.parse(text)[0], JSON.parse(text)[2].length]),
      [
        [null, 1],
        ['user', 2],
      ],
    )
  })
})
