/** Private keys with other text before, between and behind their lines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { chunk, harness } from '../../helpers/detector.ts'

const h = harness(plugin as never, { input: 'redact' })

const BEGIN = '-----BEGIN PRIVATE KEY-----'
const LINES = [
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
  'q3Zt7LmP0vXcR8bYkWnE5sUoHd2JfGaQ9iTyVx1CzMw4NpBrSlKeDuAhOg6FjI+/',
]
const KEY = [BEGIN, ...LINES, 'Ab3=', '-----END PRIVATE KEY-----']

async function becomes(text: string, want: string): Promise<void> {
  assert.equal((await h.input(text)).text, want)
  for (const size of [1, 3, 7, 40]) assert.equal((await h.output(chunk(text, size))).text, want, `${size}`)
}

test('a private key is found whatever each of its lines begins with', async () => {
  const log = '2024-05-01T10:00:00.000000000Z stdout F '
  for (const prefix of [
    '// ',
    '/// ',
    '-- ',
    '% ',
    '! ',
    'REM ',
    '- ',
    'dnl ',
    'key.pem:2:',
    'May  1 10:00:00 h app: ',
    log,
  ])
    await becomes(
      KEY.concat('after')
        .map((line) => prefix + line)
        .join('\n'),
      `${prefix}[PRIVATE_KEY]\n${prefix}after`,
    )
})

test('a private key is found whatever parts its lines', async () => {
  for (const between of [
    ...['', '<br>', '<br />\n', '</div><div>', '&#10;', '^M\n', '$\n', '\u2028', '\u0085', '\\par ', '"}\n{"l":"'],
    ...["'||chr(10)||'", '" & vbLf & "', '\\n" .\n"', '\\n" +\n"', '\\n'],
  ])
    await becomes(`x = "${KEY.join(between)}" + rest`, 'x = "[PRIVATE_KEY]" + rest')
})

test('a private key without its end leaves the text behind it', async () => {
  const cut = `"${BEGIN}\\n${LINES.join('\\n')}"`
  for (const rest of [',\n  2\n]', ',\n  17,\n  42,\n  99\n]', ', "client_x509_cert_url": "https://x.example/a"}'])
    await becomes(`[\n  ${cut}${rest}`, `[\n  "[PRIVATE_KEY]"${rest}`)
  for (const rest of ['Note: keep it safe.', '17 of 20 sheets', 'Hope this helps, and good luck.'])
    await becomes(`${BEGIN}\n${LINES.join('\n')}\n${rest}`, `[PRIVATE_KEY]\n${rest}`)
})

test('a private key without its end is found from one line on, whatever is before it', async () => {
  await becomes(`// ${BEGIN}\n// ${LINES[1]}\n// and more`, '// [PRIVATE_KEY]\n// and more')
  await becomes(`${BEGIN}<br>${LINES[1]}<br>`, '[PRIVATE_KEY]<br>')
})

test('markers in a sentence, without a key, stay', async () => {
  for (const text of [
    `It begins with ${BEGIN} and its fingerprint is SHA256:q3Zt7LmP0vXcR8bYkWnE5sUoHd2JfGaQ9iTyVx1CzMw, see below.`,
    `Put what stands between ${BEGIN} and ${KEY.at(-1)} into the file.`,
    `${BEGIN}\n// the key of createUserWithEmail2Factor and of\n// createUserWithEmail3Factor\n${KEY.at(-1)}`,
  ])
    await becomes(text, text)
})
