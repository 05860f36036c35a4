/** Values with a named entity within are found, whatever the name, whole and cut at every character. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { characterEntities } from 'character-entities'
import { characterEntitiesLegacy } from 'character-entities-legacy'
import pii from '../../plugins/pii/index.ts'
import secrets from '../../plugins/secrets/index.ts'
import { Drive } from '../eval/drive.ts'
import { part, some } from '../helpers/rounds.ts'

const personal = new Drive(pii, {
  action: 'redact',
  words: [{ type: 'project', words: ['falcon'], level: 'RESTRICTED' }],
})
const secret = new Drive(secrets, { input: 'redact', output: 'redact' })

interface Written {
  readonly drive: Drive
  /** What is left of the value must not be in the output. */
  readonly texts: readonly string[]
}

const INVISIBLE = /^[\p{Cf}\u0311\u20db\u20dc]+$/u
const BLANK = /^[\p{Zs}]$/u
const DASH = /^(?:\p{Pd}|\u2212)$/u

/** What a value looks like with the entity within, by the kind of its character. */
function writtenWith(entity: string, chars: string): Written[] {
  const plain = chars.normalize('NFKC')
  if (INVISIBLE.test(chars))
    return [
      { drive: personal, texts: [`card 41111111${entity}11111111`, `the project fal${entity}con`] },
      { drive: secret, texts: [`key AKIAIOSF${entity}ODNN7EXAMPLA`] },
    ]
  if (BLANK.test(chars) || DASH.test(chars))
    return [
      {
        drive: personal,
        texts: [`card 4111${entity}1111${entity}1111${entity}1111`, `my ssn 536${entity}90${entity}4399`],
      },
    ]
  if (/^[A-Za-z]$/.test(plain) && plain !== chars) {
    const [left, right] = 'falcon'.split(plain.toLowerCase(), 2)
    const word = right === undefined ? [] : [`the project ${left}${entity}${right}`]
    return [{ drive: personal, texts: [`mail ann.sm${entity}ith@example.org`, ...word] }]
  }
  const signs: Record<string, string> = {
    '@': `mail ann.smith${entity}example.org`,
    '.': `mail ann.smith@example${entity}org`,
    ':': `password${entity} hunter2!Xq9`,
    '=': `password${entity}hunter2!Xq9`,
    '"': `password: ${entity}hunter2!Xq9${entity}`,
    '\n': `card${entity}4111111111111111`,
    '\t': `card${entity}4111111111111111`,
  }
  const text = signs[chars]
  return text === undefined ? [] : [{ drive: text.startsWith('password') ? secret : personal, texts: [text] }]
}

const REST = /smith|4111.*1111|IOSF.*ODNN|fal.*con|536.*4399|hunter2|sm&.*ith/

function check(entity: string, chars: string, row: number): number {
  let count = 0
  for (const { drive, texts } of writtenWith(entity, chars)) {
    for (const said of texts) {
      count++
      const text = `${said} ok`
      const { output } = drive.next().reply(text)
      assert.doesNotMatch(output, REST, text)
      assert.match(output, / ok$/, text)
      assert.equal(drive.next().input(text).output, output, `${text}, in a request`)
      assert.equal(drive.next().stream([...text]).output, output, `${text}, in single characters`)
      const cuts = Array.from({ length: text.length - 1 }, (_, i) => i + 1)
      for (const at of some(part(cuts), 7, row)) {
        const streamed = drive.next().stream([text.slice(0, at), text.slice(at)]).output
        assert.equal(streamed, output, `${text}, cut at ${at}`)
      }
    }
  }
  return count
}

describe('a value', () => {
  it('is found with any entity within', () => {
    let count = 0
    for (const [row, [name, chars]] of Object.entries(characterEntities).entries())
      count += check(`&${name};`, chars, row)
    assert.ok(count > 300, `${count}`)
  })

  it('is found with an old entity within that has no semicolon', () => {
    let count = 0
    for (const [row, name] of characterEntitiesLegacy.entries()) {
      if (/^(?:nbsp|shy)$/.test(name)) count += check(`&${name}`, characterEntities[name]!, row)
    }
    assert.equal(count, 5)
  })
})
