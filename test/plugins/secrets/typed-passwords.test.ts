/** Passwords that a person made of a word and a random part, which names in code resemble. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { chunk, harness } from '../../helpers/detector.ts'

const redacting = harness(plugin as never, { input: 'redact', output: 'redact' })

const FOUND: Readonly<Record<string, readonly string[]>> = {
  lemon_kTqXzBVNdw: ['pw: #', 'password: #', 'DB_PASSWORD=#\n', '{"password":"#"}'],
  'river.xmQbKpWz': ['pw: #', 'password: #\n', 'pwd=#'],
  'stone.vRq71kLJbx': ['my password is #', 'password: #'],
  'Qz7.M3TXb': ['login ann password #', 'mytool --password #'],
  Winter_hTtzDM: ['Server=tcp:db.corp.example,1433;User ID=app;Password=#;Encrypt=True;'],
  'abk%r8wX!': ['SESSION_SECRET=#\n', '{"clientSecret":"#"}', "export SERVICE_TOKEN='#'"],
  'otter!DmsRDwkp!': ['{"clientSecret":"#"}', 'api_key: #\n'],
  Köln$p41gx7: ["SERVICE_TOKEN='#'", 'client_secret: "#"'],
}

test('are found behind labels of passwords, and with a sign behind those of keys and tokens', async () => {
  for (const [value, frames] of Object.entries(FOUND))
    for (const frame of frames) {
      const text = frame.replace('#', () => value)
      assert.ok(!(await redacting.input(text)).text.includes(value), text)
      for (const size of [1, 3, 7, 64]) {
        const out = (await redacting.output(chunk(text, size))).text
        assert.ok(!out.includes(value.slice(-6)), `${text} in pieces of ${size}: ${out}`)
      }
    }
})

test('names in code stay', async () => {
  for (const text of [
    'password: config.dbPassword',
    'password = props.onChangePw',
    'const password = form.txtPwdNew',
    'pw: user_passwordHash',
    'x=y;password=settings_default;',
    'secret_key = "Outer$Inner"',
    'token: "Hello%20World9"',
    'api_key: "Wow!Great"',
    'the token: parser!',
    'password: some_getHTTPValue',
  ]) {
    assert.equal((await redacting.input(text)).text, text)
    assert.equal((await redacting.output(chunk(text, 3))).text, text)
  }
})
