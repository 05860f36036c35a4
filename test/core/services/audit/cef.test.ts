import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { headerText, valueText } from '../../../../core/kit/formats/cef-text.ts'
import { toCef } from '../../../../core/kit/formats/index.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { parseCef, vectors } from './cef-parser.ts'
import { anyEvent, SAMPLES, SOURCE } from './samples.ts'

const parsed = (type: string, at = 0) => {
  const event = SAMPLES.filter((one) => one.type === type)[at]
  assert.ok(event)
  return parseCef(toCef(event, SOURCE))
}

describe('the reader that judges', () => {
  for (const { name, line, header, extension } of vectors.good) {
    it(`takes: ${name}`, () => assert.deepEqual(parseCef(line), { header, extension }))
  }
  for (const { name, line } of vectors.bad) it(`refuses: ${name}`, () => assert.throws(() => parseCef(line)))
})

describe('texts of CEF', () => {
  for (const { input, header, value } of vectors.escape) {
    it(`writes ${JSON.stringify(input)}`, () => {
      assert.equal(headerText(input, 100), header)
      assert.equal(valueText(input, 100), value)
    })
  }

  it('cuts before it escapes, and never inside of a character', () => {
    assert.equal(valueText('ab==', 3), 'ab\\=')
    assert.equal(headerText('ab||', 3), 'ab\\|')
    assert.equal(valueText('😀😀😀', 2), '😀😀')
    assert.equal(valueText('ab cd', 3), 'ab')
  })
})

describe('events as CEF', () => {
  for (const [i, event] of SAMPLES.entries()) {
    it(`${event.type} (${i}) is a valid line`, () => {
      const { header, extension } = parseCef(toCef(event, SOURCE))
      assert.equal(header.deviceEventClassId, event.type)
      assert.equal(extension.deviceExternalId, 'gw-prod-1')
      assert.equal(extension.cs5, 'production')
      assert.equal(extension.externalId, event.id)
      assert.equal(extension.rt, '1773655200123')
    })
  }

  it('puts what is known into the keys that receivers know', () => {
    const { header, extension } = parsed('request.completed', 1)
    assert.equal(header.name, 'Request completed')
    assert.equal(header.severity, '3')
    assert.equal(extension.act, 'redacted')
    assert.equal(extension.outcome, 'success')
    assert.equal(extension.src, '198.51.100.7')
    assert.equal(extension.suid, 'app')
    assert.equal(extension.start, '1773655198289')
    assert.deepEqual([extension.cs6Label, extension.cs6], ['detectors', 'email:2'])
    assert.deepEqual([extension.cn2Label, extension.cn2], ['promptTokens', '210'])
    assert.deepEqual([extension.cfp1Label, extension.cfp1], ['costUsd', '0.000012500'.replace(/0+$/, '')])
    assert.equal(extension.flexString1, 'req_6f1c2e34-0a1b-4c2d-8e3f-001122334455')
    assert.equal(extension.GovernedGatewaySeq, '42')
  })

  it('tells the operation of an exchange, and of old events that of chat', () => {
    const [sample] = SAMPLES.filter(({ type }) => type === 'request.completed')
    const told = (operation?: string) => {
      const event = { ...sample!, ...(operation && { operation }) }
      const { extension } = parseCef(toCef(event, SOURCE))
      return [extension.requestMethod, extension.request]
    }
    assert.deepEqual(told('DELETE /v1/responses/{id}'), ['DELETE', '/v1/responses/{id}'])
    assert.deepEqual(told(), ['POST', '/v1/chat/completions'])
  })

  it('tells how grave an event is', () => {
    assert.equal(parsed('request.completed').header.severity, '1')
    assert.equal(parsed('request.blocked').header.severity, '8')
    assert.equal(parsed('request.blocked', 1).header.severity, '10', 'RESTRICTED data')
    assert.equal(parsed('policy.would_block').header.severity, '5')
    assert.equal(parsed('request.redacted').header.severity, '3')
    assert.equal(parsed('auth.failed').header.severity, '5')
    assert.equal(parsed('auth.failed', 1).header.severity, '10', 'many guesses')
    assert.equal(parsed('request.blocked', 2).extension.act, 'rejected', 'a spent budget')
  })

  it('gives IPv6 and sources that are no address a key of their own', () => {
    const { extension } = parsed('auth.failed')
    assert.deepEqual([extension.c6a2, extension.c6a2Label], ['2001:db8::7', 'Source IPv6 Address'])
    assert.equal(parsed('auth.failed', 1).extension.shost, 'others')
    assert.equal(parsed('auth.failed', 1).extension.cnt, '900')
    const mapped = toCef({ ...SAMPLES[0]!, source_ip: '::ffff:10.0.0.1' }, SOURCE)
    assert.equal(parseCef(mapped).extension.src, '10.0.0.1')
  })

  it('tells people what has no key', () => {
    assert.equal(
      parsed('budget.threshold').extension.msg,
      'Budget threshold reached: scope=key:app percent=80 limit=1000 spent=801',
    )
  })

  it('any event is one valid line of at most 8 KiB, from which its values come back', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const line = toCef(event, SOURCE)
        assert.ok(Buffer.byteLength(line) <= 8192)
        const { extension } = parseCef(line)
        assert.equal(extension.deviceExternalId, 'gw-prod-1')
        if (/^[\w-]{1,40}$/.test(event.id)) assert.equal(extension.externalId, event.id)
      }),
      { numRuns: rounds(400) },
    )
  })

  it('a value cannot add a key', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (reason) => {
        const event = { ...SAMPLES[2]!, reason: `${reason} act=allowed` }
        assert.equal(parseCef(toCef(event, SOURCE)).extension.act, 'blocked')
      }),
    )
  })
})
