import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { GatewayError } from '../../../../core/engine/contract/errors.ts'
import { MAX_DEPTH, namesOf, parseJson, readTree } from '../../../../core/engine/json/read.ts'
import { hasDuplicates, parseStrict, pathToString } from '../../../../core/engine/json/strict.ts'
import { codePoint } from '../../../helpers/code-points.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { costOf } from '../../../helpers/thread-time.ts'

const parse = (text: string | Uint8Array) => parseStrict(Buffer.from(text as string))

function refused(text: string | Uint8Array, message?: RegExp): void {
  assert.throws(
    () => parse(text),
    (error) => {
      assert.ok(error instanceof GatewayError)
      assert.equal(error.code, 'GW_INVALID_JSON')
      if (message) assert.match(error.message, message)
      return true
    },
  )
}

describe('strict JSON', () => {
  it('is what JSON.parse reads, when nothing is odd about it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const tree = JSON.parse(text) as unknown
        if (/"(?:__proto__|constructor)"/.test(text)) return
        assert.deepEqual(parse(text).tree, tree)
        assert.equal(parse(text).text, text)
      }),
    )
  })

  it('is not nothing', () => refused('', /^The body is empty\. Send JSON, such as \{\}\.$/))

  it('has no repeated member names, however they are spelled and wherever they stand', () => {
    for (const text of [
      '{"a":1,"a":2}',
      '{"a":1,"b":2,"a":1}',
      '{"a":1,"\\u0061":2}',
      '{"\\u0061":1,"a":2}',
      '{"x":[{"y":{"a":1,"a":1}}]}',
      '{"":1,"":2}',
      '{"é":1,"\\u00e9":2}',
      '{"\\ud83d\\ude00":1,"😀":2}',
      '{"a\\\\":1,"a\\\\":2}',
      '{"a":{},"a":{}}',
      ' { "a" : 1 , "a" : 2 } ',
      '{"a":"b","b":"a","a":"c"}',
      '{"1":1,"1":2}',
    ]) {
      refused(text, /repeats/)
    }
  })

  it('may have equal names in different objects, and names that only look alike', () => {
    for (const text of [
      '{"a":{"a":{"a":1}}}',
      '[{"a":1},{"a":1}]',
      '{"a":"a\\":1,\\"a","b":"{\\"b\\":1,\\"b\\":2}"}',
      '{"é":1,"e\\u0301":2}',
      '{"a":1,"A":2}',
      '{"a":":","b":"::"}',
    ]) {
      assert.deepEqual(parse(text).tree, JSON.parse(text))
    }
  })

  it('has none, for any nesting, spelling and white space', () => {
    interface Value {
      text: string
      repeats: boolean
    }
    const key = fc.constantFrom(...['a', 'b', '"', '\\', ':', ''].map((name) => [JSON.stringify(name), name]), [
      '"\\u0061"',
      'a',
    ])
    const space = fc.constantFrom('', '', ' ', '\n\t')
    const plain = fc.constantFrom('1', 'null', '"a"', '"\\":"', '"{\\"a\\":1,\\"a\\":2}"', '""', '"\\\\"')
    const { value } = fc.letrec<{ value: Value }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        plain.map((text) => ({ text, repeats: false })),
        fc.array(tie('value'), { maxLength: 3 }).map((items) => ({
          text: `[${items.map(({ text }) => text).join(',')}]`,
          repeats: items.some(({ repeats }) => repeats),
        })),
        fc.array(fc.tuple(key, space, tie('value')), { maxLength: 3 }).map((members) => ({
          text: `{${members.map(([[spelled], gap, { text }]) => `${gap}${spelled}${gap}:${gap}${text}`).join(',')}}`,
          repeats:
            new Set(members.map(([[, name]]) => name)).size < members.length ||
            members.some(([, , { repeats }]) => repeats),
        })),
      ),
    }))
    fc.assert(
      fc.property(value, ({ text, repeats }) => {
        assert.equal(hasDuplicates(text, parseJson(text)), repeats)
      }),
      { numRuns: rounds(1000) },
    )
  })

  it('names no prototype', () => {
    for (const text of [
      '{"__proto__":{"x":1}}',
      '{"a":[{"__proto__":null}]}',
      '{"\\u005f_proto__":1}',
      '{"constructor":{"prototype":{"x":1}}}',
      '{"a":{"constructor":{"prototype":1}}}',
      '{"\\u0063onstructor":{"\\u0070rototype":1}}',
    ]) {
      refused(text, /forbidden/)
    }
    assert.deepEqual(parse('{"constructor":"x","prototype":1,"a":"__proto__"}').tree, {
      constructor: 'x',
      prototype: 1,
      a: '__proto__',
    })
    assert.equal(({} as { x?: number }).x, undefined)
  })

  it('is UTF-8 without a byte order mark', () => {
    refused([0xef, 0xbb, 0xbf, 0x7b, 0x7d] as never as Uint8Array, /byte order mark/)
    refused(Buffer.from('{}', 'utf16le'))
    for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80]]) {
      refused(Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]), /UTF-8/)
    }
  })

  it('is one value and nothing else', () => {
    for (const text of [
      '',
      ' ',
      '{',
      '{}}',
      '{} {}',
      '{"a":1,}',
      '[1,]',
      "{'a':1}",
      '{a:1}',
      '// x\n{}',
      '{"a":01}',
      '{"a":1.}',
      '{"a":+1}',
      '{"a":NaN}',
      '{"a":Infinity}',
      '{"a":"\n"}',
      '{"a":"\\x41"}',
      '{"a":"\\u12"}',
      '{}\u0000',
      '\u00a0{}',
      '{}\u2028',
    ]) {
      refused(text)
    }
  })

  it('does not say what stood there', () => {
    try {
      parse('{"password":"hunter2"x}')
      assert.fail()
    } catch (error) {
      assert.doesNotMatch((error as Error).message, /hunter|password/)
      assert.match((error as Error).message, /character \d+/)
    }
  })

  it('nests so deep and no deeper', () => {
    const nested = (depth: number, [open, close] = ['[', ']']) => open!.repeat(depth) + close!.repeat(depth)
    assert.ok(parse(nested(MAX_DEPTH)))
    refused(nested(MAX_DEPTH + 1), /deeper/)
    refused(`{"a":${nested(100_000)}}`, /deeper/)
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    assert.ok(parse(objects(MAX_DEPTH)))
    refused(objects(MAX_DEPTH + 1), /deeper/)
    refused(objects(100_000), /deeper/)
  })

  it('keeps lone surrogates and long numbers in its text', () => {
    const text = '{"a":"\\ud800","b":"\\udc00x","n":123456789012345678901234567890,"e":1E+400,"z":-0.0}'
    const document = parse(text)
    assert.equal(document.text, text)
    assert.equal((document.tree as { a: string }).a, '\ud800')
  })

  it('reads a body of a million names in passing', () => {
    const text = `{${Array.from({ length: 200_000 }, (_, i) => `"k${i}":"\\\\\\"${i}"`).join(',')}}`
    assert.ok(costOf(() => parse(text)) < 5_000)
  })
})

describe('member names with escapes', () => {
  /** What the engine reads natively after it has seen `first`; V8 takes the second name for the first. */
  const primed = (first: string) => void JSON.parse(first)

  it('are read as they are, whatever was read before', () => {
    const benign = '"model":"m","messages":[{"role":"user","content":"hi"}]'
    primed(`{${benign},"\\\\u006des":[]}`)
    refused(`{${benign},"\\u006dessages":[]}`, /repeats/)
    primed('{"a":1,"\\\\":2}')
    assert.deepEqual(parse('{"a":1,"\\"":2}').tree, { a: 1, '"': 2 })
    assert.deepEqual(parse('{"a":1,"\\n":2}').tree, { a: 1, '\n': 2 })
    primed('{"a":{"b":1,"\\\\u00":2}}')
    assert.deepEqual(parse('{"a":{"b":1,"\\u0061bcd":2}}').tree, { a: { b: 1, abcd: 2 } })
    assert.deepEqual(parseJson('{"a":{"b":1,"\\u0061bcd":2}}'), { a: { b: 1, abcd: 2 } })
  })

  it('are noticed', () => {
    for (const text of ['{"\\u0061":1}', '{"a":"\\n","\\"":1}', '[{"x":{"a\\\\":1}}]'])
      assert.ok(namesOf(text).escaped, text)
    for (const text of ['{"a":"\\n"}', '["\\u0061"]', '{"a":"\\\\","b":1}', '{"a":"\\":"}', '"\\n"']) {
      assert.ok(!namesOf(text).escaped, text)
    }
  })

  it('make no difference to what is read', () => {
    const name = fc.oneof(fc.constantFrom('\n', '"', '\\', '\u0000x', '__proto__', 'é', ''), fc.string())
    const tree = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 0, -1.5e-7, 1e300, '', 'a"b\\c\n'),
        fc.string({ unit: codePoint }),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.array(fc.tuple(name, tie('any')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
      ),
    })).any
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, undefined, space)
        assert.equal(JSON.stringify(readTree(text)), JSON.stringify(value))
        assert.deepEqual(Object.getPrototypeOf(readTree(`{"a":${text}}`)), Object.prototype)
      }),
      { numRuns: rounds(100) },
    )
  })
})

describe('pathToString', () => {
  it('writes a path as people do', () => {
    assert.equal(pathToString(['messages', 2, 'content', 0, 'text']), 'messages[2].content[0].text')
    assert.equal(pathToString([]), '')
    assert.equal(pathToString([0, 'a']), '[0].a')
  })
})
