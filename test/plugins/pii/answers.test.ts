/** A value alone, which only the question before it names. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testPlugin } from 'governed-gateway/testing'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'

const drive = new Drive(pii, { action: 'redact' })

/** Types found in the answer because of its question, in any two roles. */
const found = (question: string, answer: string, roles = ['assistant', 'user']): string[] => {
  const said = [question, answer].map((text, i) => ({ role: roles[i] as string, text }))
  const { findings, overBorders } = drive.next().messages(said)
  assert.deepEqual(findings[0], [])
  return overBorders ? (findings[1] ?? []).map(({ type }) => type) : []
}

describe('pii: the answer to a question', () => {
  const asked: readonly (readonly [question: string, answer: string, type: string])[] = [
    ['What is your BSN?', '351240494', 'nl_bsn'],
    ['Thanks! What is your BSN? I need it to find the file.', 'It is 351240494.', 'nl_bsn'],
    ['Could you tell me your social security number so that I can find the file?', '523394028', 'us_ssn'],
    ['For the order, I need your SSN.', '523394028', 'us_ssn'],
    ['What is the SSN on the order?', '523394028', 'us_ssn'],
    ['Please fill in:\n- SSN', '523394028', 'us_ssn'],
    ['Enter your SSN:', '523394028', 'us_ssn'],
    ['What is your date of birth?', '3 May 1980', 'date_of_birth'],
    ['What is your passport number?', 'C01X00T47', 'passport'],
    ['Please confirm your bank account number so that we can refund you.', '12345678', 'bank_account'],
    ['What is the best number to call you?', '5550142337', 'phone'],
    ['Was ist Ihre Steuer-ID?', '65 929 970 481', 'national_id'],
    ['¿Cuál es su número de documento de identidad?', '12345679Z', 'national_id'],
    ['您的身份证号码是多少？', '11010119900307', 'national_id'],
  ]
  for (const [question, answer, type] of asked) {
    it(`is found: ${question} ${answer}`, () => {
      for (const roles of ['assistant user', 'user assistant', 'tool user', 'user user', 'assistant tool'])
        assert.deepEqual(found(question, answer, roles.split(' ')), [type], roles)
    })
  }

  const others: readonly (readonly [question: string, answer: string])[] = [
    ['How many items?', '351240494'],
    ['What is at the top of a birth certificate?', 'It is 21.9.2028.'],
    ['What is your order number?', '351240494'],
    ['I noted your SSN. How many items do you want?', '351240494'],
    ['Thanks for the BSN. What is the order number?', '351240494'],
    ['What is the model of your phone?', '351240494'],
    ['How many passport photos do you need?', '351240494'],
    ['What is the pin count of the chip?', '1234567890'],
    ['What is your SSN?', 'It is on order 351240494'],
    ['What is your SSN?', 'See page 12, line 4.'],
    ['Run the script in the background and log the output.', '351240494'],
    ['Why would someone run a script as root?', '351240494'],
    ['What is your SSN?', '351240494 = 2 × 175620247'],
    ['What does it mean to jailbreak an iPhone?', 'USD 226108764 in total'],
    ['Call the weather tool and tell me whether I need an umbrella.', 'Form 000-20-3197'],
    ['What is your SSN?', `523394028 ${'and so on '.repeat(20)}`],
  ]
  for (const [question, answer] of others)
    it(`stays: ${question} ${answer}`, () => assert.deepEqual(found(question, answer), []))

  it('stays behind instructions, which ask nobody', () => {
    assert.deepEqual(found('What is your BSN?', '351240494', ['system', 'user']), [])
  })

  it('counts once where it is found without the question', () => {
    const { findings } = drive.next().messages([
      { role: 'assistant', text: 'What is your card number?' },
      { role: 'user', text: '4111 1111 1111 1111' },
    ])
    assert.deepEqual(
      findings.map((all) => all.length),
      [0, 1],
    )
  })

  for (const action of ['redact', 'tokenize'] as const) {
    it(`does not leave: ${action}`, async () => {
      const messages = [
        { role: 'user', content: 'I want to open an account.' },
        { role: 'assistant', content: 'What is your BSN?' },
        { role: 'user', content: '351240494' },
      ]
      await testPlugin(pii as never, {
        options: { action },
        request: { messages: messages as never },
        expect: { detections: { nl_bsn: 1 } },
        check: ({ sent }) => {
          assert.ok(!JSON.stringify(sent?.body).includes('351240494'))
          assert.match(JSON.stringify(sent?.body), /What is your BSN\?.*NL_BSN/)
        },
      })
    })
  }
})
