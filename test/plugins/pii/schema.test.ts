import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseOptions } from '../../../core/engine/config/validate.ts'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'

const parse = (options: object) => parseOptions(pii.schema, options, 'options')
const find = (options: object, text: string) => new Drive(pii, options).input(text).findings.map(({ type }) => type)

describe('pii: options', () => {
  it('fill in their defaults', () => {
    assert.deepEqual(parse({}).value, {
      action: 'redact',
      input: {},
      output: {},
      types: {},
      allow: { domains: [], phones: [], values: [] },
      min_score: 0.5,
      patterns: [],
      words: [],
      names: 'off',
      restore_tool_arguments: false,
    })
  })

  const wrong: readonly (readonly [name: string, options: object, path: string])[] = [
    ['an unknown option', { actions: 'redact' }, 'options.actions'],
    ['an unknown action', { action: 'mask' }, 'options.action'],
    ['an unknown action of a direction', { input: { action: 'mask' } }, 'options.input.action'],
    ['a score below the least one', { min_score: 0.2 }, 'options.min_score'],
    [
      'an expression that is not linear',
      { patterns: [{ type: 'x_id', pattern: '(?=a)' }] },
      'options.patterns[0].pattern',
    ],
    ['an expression without type', { patterns: [{ pattern: 'a' }] }, 'options.patterns[0]'],
    ['a type that is no name', { words: [{ type: 'My Type', words: ['ab'] }] }, 'options.words[0].type'],
    ['a country in small letters', { locales: ['us'] }, 'options.locales[0]'],
    [
      'a longest match of a page',
      { patterns: [{ type: 'x_id', pattern: 'a', max_length: 4000 }] },
      'options.patterns[0].max_length',
    ],
    ['an unknown setting of a type', { types: { email: { mask: true } } }, 'options.types.email.mask'],
  ]
  for (const [name, options, path] of wrong) {
    it(`refuse ${name}`, () => assert.equal(parse(options).problems[0]?.path, path))
  }

  const unknown: readonly (readonly [name: string, options: object, says: RegExp])[] = [
    ['a type that does not exist', { types: { emial: { enabled: false } } }, /options\.types\.emial: .*Known: .*email/],
    ['a country without detectors', { locales: ['US', 'XX'] }, /options\.locales\[1\]: XX .*GB/],
    ['a name that is taken', { words: [{ type: 'email', words: ['ab'] }] }, /'email'/],
  ]
  for (const [name, options, says] of unknown) {
    it(`refuse ${name} at start`, () => assert.throws(() => new Drive(pii, options), says))
  }
})

describe('pii: what is looked for', () => {
  it('can be switched off by type', () => {
    assert.deepEqual(find({}, 'a@example.com, 192.168.1.17'), ['email', 'ip_address'])
    assert.deepEqual(find({ types: { email: { enabled: false } } }, 'a@example.com, 192.168.1.17'), ['ip_address'])
  })

  it('can be limited to countries', () => {
    const text = '529.982.247-25 and 123-45-6789 and a@example.com'
    assert.deepEqual(find({}, text), ['br_cpf', 'us_ssn', 'email'])
    assert.deepEqual(find({ locales: ['US'] }, text), ['us_ssn', 'email'])
  })

  it('can be limited to high scores', () => {
    assert.deepEqual(find({}, 'It is 612 345 677.'), ['phone'])
    assert.deepEqual(find({ min_score: 0.7 }, 'It is 612 345 677.'), [])
    assert.deepEqual(find({ min_score: 0.7 }, 'It is a@example.com.'), ['email'])
  })

  it('leaves what the operator allows', () => {
    const allow = { domains: ['acme.example'], phones: ['+1 (800) 555-0199'], values: ['4111 1111 1111 1111'] }
    assert.deepEqual(find({ allow }, 'help@acme.example, x@mail.acme.example, x@notacme.example'), ['email'])
    assert.deepEqual(find({ allow }, 'Call 800-555-0199 or +1 800 555 0199, not +1 800 555 0198'), ['phone'])
    assert.deepEqual(find({ allow }, '4111-1111-1111-1111 and 5555 5555 5555 4444'), ['credit_card'])
  })

  it('takes expressions of the operator, with context words', () => {
    const patterns = [
      { type: 'employee_id', pattern: 'E-\\d{5}', level: 'INTERNAL' },
      { type: 'badge', pattern: '\\b\\d{5}\\b', context: ['badge', 'badge number'] },
    ]
    assert.deepEqual(find({ patterns }, 'E-12345 works here'), ['employee_id'])
    assert.deepEqual(
      find(
        { patterns },
        'badge number: 54321; and then, a long way down the corridor and around two corners, the sign says 12345',
      ),
      ['badge'],
    )
    assert.deepEqual(find({ patterns }, 'room 12345'), [])
  })

  it('takes words of the operator, in any case, whole ones only', () => {
    const words = [
      { type: 'project', words: ['Blue Falcon', 'Überflieger', '青い鷹'], action: 'block' },
      { type: 'customer', words: ['ACME'] },
    ]
    const drive = new Drive(pii, { words })
    const found = (text: string) =>
      drive.input(text).findings.map(({ type, action, start, end }) => `${type} ${action} ${text.slice(start, end)}`)
    assert.deepEqual(found('blue  falcon and BLUE FALCON'), ['project block blue  falcon', 'project block BLUE FALCON'])
    assert.deepEqual(found('blue-falcon blue_falcon'), ['project block blue-falcon', 'project block blue_falcon'])
    for (const row of [' **', '** ', '_ _', '\n  ', '\n> ', '\n # ', ' `'])
      assert.deepEqual(found(`say blue${row}falcon`), [`project block blue${row}falcon`])
    assert.deepEqual(found('bluefalcon blue+falcon'), [])
    assert.deepEqual(found('der ÜBERFLIEGER'), ['project block ÜBERFLIEGER'])
    assert.deepEqual(found('計画は青い鷹です'), ['project block 青い鷹'])
    assert.deepEqual(found('acme, acmes, Acme'), ['customer redact acme', 'customer redact Acme'])
    assert.deepEqual(drive.stream([...'The blue falcon flies']).output, 'The [PROJECT] flies')
  })

  it('finds names only when asked to', () => {
    assert.deepEqual(find({}, 'Ask Maria Gomez about it.'), [])
    assert.deepEqual(find({ names: 'personal' }, 'Ask Maria Gomez about it.'), [])
    assert.deepEqual(find({ names: 'personal' }, 'My name is Maria Gomez.'), ['person_name'])
    assert.deepEqual(find({ names: 'all' }, 'Ask Maria Gomez about it.'), ['person_name'])
  })
})
