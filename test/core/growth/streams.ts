/** Event streams that are special, each of about a given size. */
import { VALUES } from './documents.ts'
import { count, fill, TEXT_SHAPES, textOf, times } from './texts.ts'
import { JSON_TEXTS } from './texts-of-json.ts'

const ENVELOPE = '"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-test"'
const event = (choices: unknown, more = ''): string =>
  `data: {${ENVELOPE},"choices":${JSON.stringify(choices)}${more}}\n\n`
const delta = (piece: object, index = 0): string => event([{ index, delta: piece, finish_reason: null }])
const finish = (reason = 'stop', index = 0): string => event([{ index, delta: {}, finish_reason: reason }])
const DONE = 'data: [DONE]\n\n'
const done = (body: string, reason = 'stop'): string =>
  delta({ role: 'assistant', content: '' }) + body + finish(reason) + DONE

/** The text cut into pieces of `length` characters. */
function cut(text: string, length: number): string[] {
  const out: string[] = []
  for (let at = 0; at < text.length; at += length) out.push(text.slice(at, at + length))
  return out
}

const said = (text: string, length: number): string =>
  done(
    cut(text, length)
      .map((content) => delta({ content }))
      .join(''),
  )

const call = (index: number, args: string, first: boolean) =>
  delta({
    tool_calls: [
      {
        index,
        ...(first ? { id: `call_${index}`, type: 'function' } : {}),
        function: { ...(first ? { name: 'f' } : {}), arguments: args },
      },
    ],
  })

/** Most that one choice may hold of tool calls, less what is around them. */
const TOOL_LIMIT = 1_000_000

type Make = (size: number) => string

/** Bytes of a stream, which the provider writes as fast as it can. */
export const STREAMS: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(
    Object.entries(JSON_TEXTS).map(([shape, make]) => [shape, (size: number) => done(event([], `,"x":${make(size)}`))]),
  ),
  'a repeated member': (size) => done(event([], `,"x":{${'"a":1,'.repeat(size / 6)}"a":1}`)),
  ...Object.fromEntries(
    TEXT_SHAPES.map((shape) => [`${shape}, by words`, (size: number) => said(textOf(shape, size / 30), 6)]),
  ),
  ...Object.fromEntries(
    TEXT_SHAPES.map((shape) => [`${shape}, at once`, (size: number) => said(textOf(shape, size), size)]),
  ),
  ...Object.fromEntries(
    Object.entries(VALUES).map(([shape, make]) => [
      `${shape} in fragments`,
      (size: number) =>
        done(
          cut(JSON.stringify(make(Math.min(size / 20, TOOL_LIMIT / 2))), 8)
            .map((args, i) => call(0, args, i === 0))
            .join(''),
          'tool_calls',
        ),
    ]),
  ),
  'tiny events': (size) => said(fill('word ', size / 150), 1),
  'tool calls of one byte': (size) =>
    done(
      times(Math.min(size, TOOL_LIMIT * 150), 180, (i) => call(0, i === 0 ? '"' : 'a', i === 0)),
      'tool_calls',
    ),
  'tool calls of many indexes': (size) =>
    done(
      times(size, 230, (i) => call(i, `{"a":"${i}"}`, true)),
      'tool_calls',
    ),
  'many choices': (size) =>
    times(size, 180, (i) => delta({ content: 'word ' }, i % 128)) +
    Array.from({ length: 128 }, (_, i) => finish('stop', i)).join('') +
    DONE,
  'choices without end': (size) => {
    const n = count(size, 360)
    return (
      times(size, 360, (i) => delta({ content: 'word ' }, i)) +
      Array.from({ length: n }, (_, i) => finish('stop', i)).join('') +
      DONE
    )
  },
  'many choices in one event': (size) =>
    event(
      Array.from({ length: count(size, 70) }, (_, index) => ({
        index,
        delta: { content: `to jo${index}@example.org ` },
        finish_reason: 'stop',
      })),
    ) + DONE,
  'fields without end': (size) => done(times(size, 180, (i) => delta({ [`field_${i}`]: 'word ' }))),
  'fields of one event': (size) =>
    done(delta(Object.fromEntries(Array.from({ length: count(size, 30) }, (_, i) => [`field_${i}`, 'word '])))),
  'held finishes': (size) => {
    const n = count(size, 400)
    const held = times(size, 400, (i) => delta({ content: 'jo@exam' }, i))
    return held + Array.from({ length: n }, (_, i) => finish('stop', i)).join('') + DONE
  },
  comments: (size) => done(times(size, 3, () => ':a\n')),
  'one long comment': (size) => done(`:${fill('a', size)}\n`),
  'blank lines': (size) => done(fill('\n', size)),
  'lines of an event': (size) => done(`${times(size, 8, () => 'data: \n')}\n`),
  'carriage returns': (size) => done(times(size, 20, () => ': a\r\rretry: 1\r\n')),
  'events with CRLF': (size) => done(times(size, 180, () => delta({ content: 'word ' }))).replaceAll('\n', '\r\n'),
  'names of events': (size) => done(times(size, 12, () => 'event: abc\n')),
  'ids of events': (size) => done(times(size, 9, (i) => `id: ${i}\n`)),
  'unknown fields': (size) => done(times(size, 6, () => 'abc:d\n')),
  usage: (size) =>
    done(
      times(size, 200, (i) =>
        event([{ index: 0, delta: { content: 'a' } }], `,"usage":{"prompt_tokens":9,"completion_tokens":${i}}`),
      ),
    ),
  annotations: (size) =>
    done(times(size, 200, (i) => delta({ content: 'a ', annotations: [{ url: `https://example.org/${i}` }] }))),
  'citations after a finding': (size) =>
    said('Write to jo@example.org now. ', 6).replace(DONE, '') +
    times(size, 200, (i) => delta({ content: 'a ', annotations: [{ url: `https://example.org/${i}` }] }, 1)) +
    finish('stop', 1) +
    DONE,
}
