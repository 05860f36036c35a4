/**
 * What cannot be inspected is counted, and refused in strict mode: in every API, at every place of its requests and replies, in
 * every form. The places are all objects of the bodies below, so a new object there is a new place.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { delta, json, raw, type Script, stream } from '../../core/testing/provider.ts'
import { bearer, type Setup, setup, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'
import { ALL } from '../helpers/rounds.ts'
import { ADAPTERS } from './shapes/adapters.ts'
import { eventsOf } from './shapes/rig.ts'

const BINARY = Buffer.from(Array.from({ length: 120 }, (_, i) => (i * 89 + 131) % 256)).toString('base64')
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(BINARY, 'base64')]).toString('base64')
const READABLE = Buffer.from('Nothing but plain words are in here, and everybody may read them.').toString('base64')
const JPEG = `data:image/jpeg;base64,/9j/${BINARY.slice(4)}`

/** Members that nobody knows, each with one thing that cannot be inspected. */
const UNSEEN: Readonly<Record<string, object>> = {
  'a data URL': { x_note: JPEG },
  'a data URL with words in its head': { x_note: JPEG.replace(';', ';name=a.jpg;') },
  'a data URL in capitals': { x_note: ` ${JPEG.replace('data:image', 'DATA:Image')}` },
  'a data URL of any picture, behind a blank': { x_note: JPEG.replace('data:image/jpeg', 'data: image/*') },
  'a data URL of a type of its own': { x_note: JPEG.replace('image/jpeg', 'binary/octet-stream') },
  'bytes of a sound': { x_note: `//uQxAAA${'AAASW5mbwAAAA8'.repeat(8)}` },
  'a short data URL': { x_note: 'data:image/png;base64,iVBORw0KGgo=' },
  'a data URL of bytes that claims to be text': { x_note: `data:text/plain;base64,${BINARY}` },
  'a data URL deep inside': { x_note: { list: [{ thing: JPEG }] } },
  'bytes of a file': { x_note: PDF },
}
/** Likewise, by the name of the member: of a request, for replies name sources so. */
const NAMED: Readonly<Record<string, object>> = {
  'a source of bytes': { x_block: { source: { type: 'base64', media_type: 'application/pdf', data: BINARY } } },
  'the id of a file': { x_mask: { file_id: 'file-a1b2c3' } },
  'the id of a file in a list': { file_ids: ['file-a'] },
  'the address of a picture': { x_mask: { image_url: 'https://pictures.example/a.png' } },
  'the address of a sound in an object': { audio_url: { url: 'https://sounds.example/a.mp3' } },
}

const MARKS = /x_note|x_block|x_mask|file_ids|audio_url/

/** Members that nobody knows, with nothing but text. */
const READ: Readonly<Record<string, object>> = {
  'an address': { x_note: 'https://pictures.example/a.png' },
  'a text with an address': { x_note: 'See https://pictures.example/a.png and data:image/png;base64, too.' },
  'a data URL of text': { x_note: 'data:text/plain,hello%20there' },
  'a data URL of encoded text': { x_note: `data:text/plain;base64,${READABLE}` },
  'a data URL of a drawing': { x_note: 'data:image/svg+xml,%3Csvg%20xmlns=%22x%22/%3E' },
  'encoded text': { x_block: { source: { type: 'base64', media_type: 'text/plain', data: READABLE } } },
  'a date': { x_note: 'Data: 12/05/2024, ore 10:30, sala B' },
  'columns with a slash': { x_note: 'data: revenue/expenses per month, and more' },
  'a type in prose': { x_note: 'Data: application/pdf, three of them' },
  'a path and a table': { x_note: 'Data: /tmp/report.csv\nname,age' },
  'a line of an event stream': { x_note: 'data: {"url":"https://a.example","x":1}' },
  'a map of a cluster': { x_note: 'data:\n  path: /etc/app,\n  more: 1' },
  'a data URL of a form': { x_note: 'data:application/x-www-form-urlencoded,a=b' },
  'a data URL in another charset': { x_note: 'data:text/plain;charset=iso-8859-1,caf%E9' },
  'a ruler of a comment': { x_note: `//${'-'.repeat(80)}` },
  'a label of a build': { x_note: `//third_party/tensorflow/${'core/'.repeat(12)}kernels` },
  'names of media': { image: 'registry:latest', video: 'notes.mp4' },
}

const hosted = (content: object) => ({ type: 'web_fetch_tool_result', tool_use_id: 'srvtoolu_a1', content })
const fetched = (source: object) =>
  hosted({ type: 'web_fetch_result', url: 'https://a.example', content: { type: 'document', source } })

const said = { role: 'assistant', content: 'Well.' }
const chatBody = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }, said],
  tools: [{ type: 'function', function: { name: 'f' } }],
  response_format: { type: 'text' },
  stream_options: { include_usage: true },
}
const messagesBody = {
  system: [{ type: 'text', text: 'Be kind.' }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    { role: 'assistant', content: [fetched({ type: 'text', media_type: 'text/plain', data: 'words' })] },
    {
      role: 'user',
      content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' } }],
    },
  ],
  tools: [{ name: 'f', input_schema: null }],
  thinking: { type: 'disabled' },
}
const responsesBody = {
  input: [
    { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
    { type: 'function_call', call_id: 'call_a1', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_a1', output: [{ type: 'input_text', text: 'done' }] },
    { type: 'web_search_call', status: 'completed', action: null },
  ],
  tools: [
    { type: 'function', name: 'f' },
    { type: 'image_generation' },
    { type: 'code_interpreter', container: { type: 'auto' } },
  ],
  text: { format: { type: 'text' } },
  reasoning: { effort: 'low' },
}
/** More places of each API than its adapter has. */
const BODIES: Readonly<Record<string, object>> = {
  '/v1/chat/completions': chatBody,
  '/v1/completions': {},
  '/v1/embeddings': {},
  '/v1/moderations': { input: [{ type: 'text', text: 'Hello' }] },
  '/v1/messages': messagesBody,
  '/v1/messages/count_tokens': messagesBody,
  '/v1/responses': responsesBody,
  '/v1/responses/input_tokens': responsesBody,
  '/v1/responses/compact': responsesBody,
}

const picture = { type: 'image_generation', input_image_mask: {} }
const inTool = (mask: object) => ({ tools: [{ ...picture, input_image_mask: mask }] })
const inResult = (source: object) => ({
  messages: [
    { role: 'assistant', content: [fetched(source)] },
    { role: 'user', content: 'x' },
  ],
})
const search = {
  type: 'azure_search',
  parameters: { endpoint: 'https://search.example', index_name: 'a', authentication: { type: 'api_key', key: 'k' } },
}
/** Members that the APIs have. */
const KNOWN: readonly (readonly [path: string, name: string, body: object, kind: string | undefined])[] = [
  ['/v1/responses', 'a mask by its id', inTool({ file_id: 'file-a' }), 'image_url'],
  ['/v1/responses', 'a mask by its address', inTool({ image_url: 'https://a.example/m.png' }), 'image_url'],
  ['/v1/responses', 'a mask as data', inTool({ image_url: JPEG }), 'image_url'],
  [
    '/v1/responses',
    'a server of tools',
    { tools: [{ type: 'mcp', server_label: 's', server_url: 'https://m.example' }] },
    'mcp_server',
  ],
  [
    '/v1/responses',
    'a connector',
    { tools: [{ type: 'mcp', server_label: 's', connector_id: 'connector_mail' }] },
    'mcp_server',
  ],
  [
    '/v1/messages',
    'a server of tools',
    { mcp_servers: [{ type: 'url', name: 's', url: 'https://m.example' }] },
    'mcp_server',
  ],
  [
    '/v1/chat/completions',
    'a server of tools',
    { tools: [{ type: 'mcp', server_label: 's', server_url: 'https://m.example' }] },
    'mcp_server',
  ],
  ['/v1/chat/completions', 'sources of data of Azure', { data_sources: [search, search] }, 'data_source'],
  [
    '/v1/chat/completions',
    'a source of data in a member that nobody knows',
    { x: { data_sources: [search] } },
    'data_source',
  ],
  ['/v1/responses', 'a source of data of another API', { data_sources: [search] }, 'data_source'],
  ['/v1/chat/completions', 'no source of data', { data_sources: [] }, undefined],
  ['/v1/messages', 'a fetched file', inResult({ type: 'base64', media_type: 'application/pdf', data: BINARY }), 'file'],
  [
    '/v1/messages',
    'a fetched file of a known kind',
    inResult({ type: 'base64', media_type: 'application/pdf', data: PDF }),
    'file',
  ],
  ['/v1/messages', 'a fetched picture', inResult({ type: 'base64', media_type: 'image/png', data: BINARY }), 'file'],
  [
    '/v1/messages',
    'fetched text in base64',
    inResult({ type: 'base64', media_type: 'text/plain', data: READABLE }),
    undefined,
  ],
  ['/v1/messages', 'a fetched address', inResult({ type: 'url', url: 'https://a.example/a.pdf' }), 'file'],
  [
    '/v1/chat/completions',
    'a picture',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: JPEG, x_note: JPEG } }] }] },
    'image_url',
  ],
  [
    '/v1/chat/completions',
    'a part that nobody knows',
    { messages: [{ role: 'user', content: [{ type: 'x_film', film: JPEG }] }] },
    'unknown_part',
  ],
]

// biome-ignore lint/suspicious/noExplicitAny: bodies of every API.
type Body = any

/** The paths of all objects of a body that is no free JSON of the client. */
function* placesOf(value: Body, path: (string | number)[] = []): Iterable<(string | number)[]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield path
  for (const key of Object.keys(value)) {
    const isFree = ['metadata', 'usage', 'categories', 'category_scores'].includes(key)
    if (!isFree) yield* placesOf(value[key], [...path, Array.isArray(value) ? Number(key) : key])
  }
}

function put(body: object, path: readonly (string | number)[], member: object): Body {
  const copy = structuredClone(body)
  let at: Body = copy
  for (const step of path) at = at[step]
  Object.assign(at, member)
  return copy
}

type Members = Readonly<Record<string, object>>

/** Each place has some of the members, and each member is at some of the places; with all rounds each at each. */
function placed(body: object, members: Members, before = 0, nth?: number) {
  const places = [...placesOf(body)]
  const step = ALL ? 1 : (nth ?? Math.min(places.length, 9))
  return places.flatMap((path, at) =>
    Object.entries(members)
      .filter((_, i) => (i + at + before) % step === 0)
      .map(([name, member]) => ({ name: `${name} at ${path.join('.')}`, body: put(body, path, member) })),
  )
}

for (const adapter of ADAPTERS) {
  describe(adapter.path, () => {
    const closers: (() => Promise<void>)[] = []
    let parts: Setup
    before(async () => {
      const keys = [{ id: 'user', key: USER_KEY, flags_allow: ['mode=*'] }]
      const plugins = [{ use: 'flags' }, { use: './plugins/keyword.ts', options: { word: 'needle', action: 'block' } }]
      parts = await setup({ after: (fn) => void closers.push(fn) }, { plugins, config: { keys } })
    })
    after(async () => {
      for (const close of closers) await close()
    })

    async function ask(body: object, mode: string, script: Script) {
      parts.provider.otherwise(script)
      const from = parts.provider.requests.length
      const headers = { ...bearer(USER_KEY), 'x-service-flags': `mode=${mode}` }
      const reply = await send(parts.gateway.url + adapter.path, { body, headers })
      const text = await reply.text()
      const bodies = text.startsWith('{') ? [JSON.parse(text)] : eventsOf(text)
      const warnings: string[] = bodies.flatMap(
        ({ service, response }) => (service ?? response?.service)?.warnings ?? [],
      )
      const unseen = warnings.filter((one) => one.startsWith('uninspected'))
      return { status: reply.status, raw: text, unseen, isSent: parts.provider.requests.length > from }
    }

    const fine = json(adapter.reply('Fine.'))
    const request = { ...adapter.request('Hello'), ...BODIES[adapter.path] }

    async function counts(name: string, body: object, kind?: string, modes = ['enforce', 'monitor']): Promise<void> {
      for (const mode of modes) {
        const told = await ask(body, mode, fine)
        assert.equal(told.status, 200, `${name}: ${told.raw}`)
        assert.equal(told.unseen.length, 1, `${name}, ${mode}: ${told.unseen}`)
        assert.match(
          told.unseen[0] as string,
          kind ? new RegExp(`^uninspected:${kind}=1$`) : /^uninspected:\w+=1$/,
          name,
        )
      }
      const told = await ask(body, 'strict', fine)
      assert.ok([403, 422].includes(told.status), `${name}: ${told.status}`)
      assert.ok(!told.isSent, name)
    }

    async function passes(name: string, body: object): Promise<void> {
      const told = await ask(body, 'strict', fine)
      assert.deepEqual([told.status, told.unseen], [200, []], `${name}: ${told.raw}`)
    }

    it('counts and refuses what it cannot read, at every place of a request', async () => {
      for (const [i, { name, body }] of placed(request, { ...UNSEEN, ...NAMED }).entries())
        await counts(name, body, undefined, ALL ? undefined : [i % 2 === 0 ? 'enforce' : 'monitor'])
    })

    it('takes text for text, at every place of a request', async () => {
      await passes('as it is', request)
      for (const { name, body } of placed(request, READ)) await passes(name, body)
    })

    for (const [path, name, more, kind] of KNOWN) {
      if (path === adapter.path)
        it(`${name}: ${kind ?? 'text'}`, async () => {
          const body = { ...adapter.request('Hello'), ...more }
          if (kind === undefined) await passes(name, body)
          else await counts(name, body, kind)
        })
    }

    async function repliesCount(name: string, script: Script, streams: boolean, mayMiss = streams): Promise<void> {
      const body = { ...adapter.request('Hello'), ...(streams && { stream: true }) }
      const told = await ask(body, 'enforce', script)
      assert.equal(told.status, 200, `${name}: ${told.raw}`)
      // The gateway writes the end of some streams itself.
      if (mayMiss && !MARKS.test(told.raw)) return
      assert.equal(told.unseen.length, 1, `${name}: ${told.unseen} ${told.raw}`)
      assert.match(told.unseen[0] as string, /^uninspected_output:\w+=1$/, name)
      const strict = await ask(body, 'strict', script)
      assert.match(strict.raw, /cannot be inspected/, name)
    }

    it('counts and refuses what it cannot read, at every place of a reply', async () => {
      for (const { name, body } of placed(adapter.reply('Fine.'), UNSEEN)) await repliesCount(name, json(body), false)
    })

    it('takes text for text, and what names a source, at every place of a reply', async () => {
      for (const { name, body } of placed(adapter.reply('Fine.'), { ...READ, ...NAMED })) {
        const told = await ask(adapter.request('Hello'), 'strict', json(body))
        assert.deepEqual([told.status, told.unseen], [200, []], `${name}: ${told.raw}`)
      }
    })

    if (adapter.path === '/v1/chat/completions')
      it('counts what is cut over events, once, and what a call holds', async () => {
        const cut = [JPEG.slice(0, 3), JPEG.slice(3, 12), JPEG.slice(12, 60), JPEG.slice(60)]
        const call = (args: object) => ({ tool_calls: [{ index: 0, ...args }] })
        const named = { id: 'call_a1', type: 'function', function: { name: 'f', arguments: '' } }
        for (const [name, deltas] of Object.entries({
          content: cut.map((content) => ({ content })),
          'another member': cut.map((x_note) => ({ content: 'a', x_note })),
          call: [named, ...cutJson({ shown: JPEG }).map((args) => ({ function: { arguments: args } }))].map(call),
        }))
          await repliesCount(name, stream([...deltas.map((one) => delta(one)), delta({}, 0, 'stop')]), true, false)
      })

    if (adapter.path === '/v1/messages')
      it('counts what is cut over the events of any block, once for each block', async () => {
        const start = adapter.stream?.events(['Fine']) ?? []
        const [first, ...others] = start as { type?: string; bytes?: Buffer }[]
        const event = (one: { type: string }) => raw(`event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`)
        const block = (index: number, text: string) =>
          [
            { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
            ...(text.match(/.{1,20}/g) ?? []).map((text) => ({
              type: 'content_block_delta',
              index,
              delta: { type: 'text_delta', text },
            })),
            { type: 'content_block_stop', index },
          ].map(event)
        const end = others.slice(-2)
        for (const [texts, count] of [
          [[JPEG], 1],
          [['words', JPEG], 1],
          [[JPEG, 'words', JPEG], 2],
        ] as const) {
          const events = [first, ...texts.flatMap((text, i) => block(i, text)), ...end]
          const script = stream(events as never, { done: false })
          const body = { ...adapter.request('Hello'), stream: true }
          assert.deepEqual((await ask(body, 'enforce', script)).unseen, [`uninspected_output:media=${count}`])
          assert.match((await ask(body, 'strict', script)).raw, /cannot be inspected/)
        }
      })

    const { stream: streaming } = adapter
    if (streaming !== undefined)
      it('counts and refuses what it cannot read, at every place of a stream', async () => {
        const events = streaming.events(['Fine', ' words.'])
        for (const [at, event] of events.entries()) {
          for (const { name, step } of placedInEvent(event, UNSEEN, at)) {
            const steps = events.map((one, i) => (i === at ? step : one))
            await repliesCount(`${name} of event ${at}`, stream(steps as never, { done: streaming.done }), true)
          }
        }
      })
  })
}

const cutJson = (value: object): string[] => JSON.stringify(value).match(/.{1,40}/g) ?? []

/** An event is an object, or the text of a frame with one. The next event has other members. */
function placedInEvent(event: Body, members: Members, before: number) {
  const text: string | undefined = event.bytes?.toString()
  if (text === undefined) return placed(event, members, before, 3).map(({ name, body }) => ({ name, step: body }))
  const at = text.indexOf('data: {')
  const [head, data] = [text.slice(0, at), JSON.parse(text.slice(at + 6))]
  return placed(data, members, before, 3).map(({ name, body }) => ({
    name,
    step: raw(`${head}data: ${JSON.stringify(body)}\n\n`),
  }))
}
