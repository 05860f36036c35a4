import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chat, chunks, startPlugin, stream, testPlugin } from 'governed-gateway/testing'
import flags from '../../../plugins/flags/index.ts'
import pii from '../../../plugins/pii/index.ts'
import { FORMS } from '../../helpers/rounds.ts'

const ADDRESS = 'jo.smith@example.com'

/** Asserts that nothing is found in a text, and nothing of it altered, in either direction. */
const leavesAsItIs = (text: string) =>
  testPlugin(pii, { request: text, reply: text, variants: FORMS, expect: { text, detections: {}, label: 'PUBLIC' } })

describe('pii in a gateway', () => {
  it('redacts request and reply, and reports it', async () => {
    await testPlugin(pii, {
      request: `Write to ${ADDRESS}, card 4111 1111 1111 1111`,
      reply: 'Call +1 201 555 0123 then.',
      expect: {
        outcome: 'completed',
        label: 'RESTRICTED',
        text: 'Call [PHONE] then.',
        detections: { email: 1, credit_card: 1, phone: 1 },
        sent: { messages: [{ role: 'user', content: 'Write to [EMAIL], card [CREDIT_CARD]' }] },
        events: ['pii.detected', 'request.redacted', 'response.redacted'],
      },
    })
  })

  it('leaves harmless text as it is', async () => {
    await testPlugin(pii, {
      request: 'What is 12 times 34?',
      reply: 'It is 408, as of 2024-01-15.',
      variants: ['buffered', 'streamed'],
      expect: {
        text: 'It is 408, as of 2024-01-15.',
        detections: {},
        label: 'PUBLIC',
        events: ['!pii.detected', '!request.redacted'],
      },
    })
  })

  it('leaves what stands in sources, their headers and their licences', async () => {
    const text = [
      '# Copyright: 1991-1997, Thomas G. Lane. Licensed under the GPL; write to the Free Software',
      '# Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA  02110-1301  USA.',
      '# Restricted Rights as defined in Clause 252.227-7013 (c) (1) of DFARs.',
      'const tool = textEditor_20250728(options) // stops at any point as RFC 7230-7235 says (c.f., CVE-2022-39253)',
    ].join('\n')
    await leavesAsItIs(text)
  })

  it('leaves amounts, days of readings, court cases and numbers of parcels, vouchers and copies', async () => {
    await leavesAsItIs('Medicare paid 80% of $1,240.00; does plan G pay the other 248.00?')
    await leavesAsItIs('The reading on 1 March was 048213 kWh, on 1 April 048977.')
    await leavesAsItIs('Snapshot 20240603-1233 restored; Gutschein 5897-5352-1315 eingelöst')
    await leavesAsItIs('Powerball: 07 13 22 41 65; sample id S-20240117-0093, titre 1:640')
    await leavesAsItIs('R. v. Jordan, 2016 SCC 27, ceiling of 30 months, explain briefly')
    await leavesAsItIs('송장번호 6842 1190 3377 배송조회가 이틀째 그대로예요; Spedizione BRT 0940 1127 3358 ferma')
  })

  it('leaves ids of meetings, whose digits satisfy the checks of national numbers', async () => {
    const text = [
      'Join: https://zoom.us/j/82301682521?pwd=Q1w2 or https://us02web.zoom.us/j/81489860290, in the browser',
      '<https://app.zoom.us/wc/91853748361/join>, zoom.us/s/97349455105, zoommtg://zoom.us/join?confno=82301682521',
      'Meeting ID: 82301682521. Meeting ID: 369 312 8121. Webinar-ID 81489860290, webinar ID 814 8986 0290',
    ].join('\n')
    await leavesAsItIs(text)
    // Elsewhere they are found, and so is a card.
    for (const [found, type] of [
      ['https://zoom.example/j/82301682521', 'pl_pesel'],
      ['https://example.com/zoom.us/people/82301682521', 'pl_pesel'],
      ['https://evilzoom.us/j/81489860290', 'br_cpf'],
      ['https://zoom.us/j/4111111111111111', 'credit_card'],
      ['https://shop.example/pay?card=4111111111111111', 'credit_card'],
      ['https://shop.example/orders/4111111111111111', 'credit_card'],
      ['PESEL 82301682521, meeting id 81489860290', 'pl_pesel'],
      ['Meeting ID 814 8986 0290, call 415-555-2671', 'phone'],
    ] as const)
      await testPlugin(pii, { reply: found, variants: FORMS, expect: { detections: { [type]: 1 } } })
  })

  it('blocks when told to', async () => {
    await testPlugin(pii, {
      options: { types: { us_ssn: { action: 'block' } } },
      request: 'SSN 123-45-6789',
      expect: { outcome: 'blocked', status: 403, reason: /us_ssn/, sent: null },
    })
  })

  it('sends tokens and gives the values back', async () => {
    let token = ''
    const run = await testPlugin(pii, {
      options: { action: 'tokenize' },
      request: `Write to ${ADDRESS}`,
      variants: ['buffered'],
      check: ({ sent }) => {
        const messages = sent!.body.messages as { role: string; content: string }[]
        assert.match(messages[0]!.content, /exactly as it is/)
        token = /EMAIL_[a-z2-7]{10}/.exec(messages.at(-1)!.content)![0]
      },
    })
    assert.deepEqual(
      run.buffered.detections.map(({ type, action }) => `${type} ${action}`),
      ['email tokenize'],
    )
    await testPlugin(pii, {
      options: { action: 'tokenize' },
      request: `Write to ${ADDRESS}`,
      // Another gateway of the same deployment makes the same token, whoever served the turn before.
      reply: `Done: ${token}`,
      variants: ['buffered', 'streamed'],
      expect: { text: `Done: ${ADDRESS}` },
    })
  })

  it('gives values back from a reply that repeats the prompt', async () => {
    for (const streamed of [false, true]) {
      const rig = await startPlugin(pii, { options: { action: 'tokenize' } })
      try {
        const result = await rig.send(`Write to ${ADDRESS}`, {
          stream: streamed,
          reply: (exchange) => {
            const { messages } = exchange.request.json as { messages: { content: string }[] }
            const answer = `You said: ${messages.at(-1)!.content}.`
            return streamed ? stream(chunks(answer), { split: 'byte' })(exchange) : chat(answer)(exchange)
          },
        })
        assert.equal(result.text, `You said: Write to ${ADDRESS}.`)
        assert.deepEqual(
          result.detections.map(({ type, action, direction }) => `${type} ${action} ${direction}`),
          ['email tokenize input'],
        )
      } finally {
        await rig.close()
      }
    }
  })

  it('obeys its flag', async () => {
    const request = `Write to ${ADDRESS}`
    await testPlugin(pii, {
      with: [flags],
      variants: FORMS,
      request,
      headers: { 'x-service-flags': 'pii=block' },
      expect: { outcome: 'blocked' },
    })
    await testPlugin(pii, {
      with: [flags],
      variants: FORMS,
      request,
      headers: { 'x-service-flags': 'pii=mask' },
      expect: { detections: { email: 1 } },
    })
    await testPlugin(pii, {
      with: [flags],
      variants: FORMS,
      request,
      headers: { 'x-service-flags': 'pii=detect' },
      expect: { status: 403, error: { code: 'flag_not_permitted' } },
    })
    await testPlugin(pii, {
      with: [flags],
      variants: FORMS,
      key: { flags_allow: ['pii=*'] },
      request,
      headers: { 'x-service-flags': 'pii=off' },
      expect: { detections: {}, sent: { messages: [{ role: 'user', content: request }] } },
    })
  })

  it('only records under monitor', async () => {
    await testPlugin(pii, {
      entry: { mode: 'monitor' },
      request: `Write to ${ADDRESS}`,
      expect: { detections: { email: 1 }, sent: { messages: [{ role: 'user', content: `Write to ${ADDRESS}` }] } },
    })
  })
})
