/** Bare passwords in lines `key = value` of files. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { harness, splits } from '../../helpers/detector.ts'

const h = harness(plugin as never)

async function becomes(text: string, want: string): Promise<void> {
  for (const pieces of [[text], ...splits(text)])
    assert.equal((await h.output(pieces)).text, want, JSON.stringify(pieces[0]))
}

for (const [name, password] of [
  ['a sign at the end', 'monkey8787$'],
  ['a point at the end', 'Summer2024!.'],
  ['a quote within', 'monkey87"x'],
  ['a bracket that nothing opened', 'Batman]46'],
  ['a bracket that nothing closes', 'Banana[486'],
  ['a word and its number', 'Falcon-42'],
] as const)
  test(`a bare password with ${name}`, async () => {
    await becomes(`[db]\npassword = ${password}\nport = 1`, '[db]\npassword = [PASSWORD]\nport = 1')
    await becomes(`  DB_PASSWORD=${password}\r\nA=1`, '  DB_PASSWORD=[PASSWORD]\r\nA=1')
  })

test('an angle bracket within a password, without blanks before the sign of assignment', () =>
  becomes('DB_PASSWORD=hunter<1996\nA=1', 'DB_PASSWORD=[PASSWORD]\nA=1'))

test('what is behind a password in a sentence, an element or a string stays', async () => {
  await becomes('Password: hunter22.\nbye', 'Password: [PASSWORD].\nbye')
  await becomes('password=hunter22<br>\nbye', 'password=[PASSWORD]<br>\nbye')
  await becomes('password=hunter22"\nbye', 'password=[PASSWORD]"\nbye')
  await becomes('password=hunter22"x"\nbye', 'password=[PASSWORD]"x"\nbye')
  await becomes('the password=hunter22"x\nbye', 'the password=[PASSWORD]"x\nbye')
})

test('expressions and patterns in a line are no passwords', async () => {
  for (const value of [
    ...['^[a-z0-9]{8,}$', '\\w{8}$', '/^(?=.*\\d).{8,}$/', '[A-Za-z0-9]{8,32}$', 'required|min:8', 'obj1->pass'],
    ...['label-12', 'users[12]', 'hash1(x)', 'Map<u8', 'length-8', 'b64:e1'],
  ])
    await becomes(`password = ${value}\nbye`, `password = ${value}\nbye`)
})

test('a quoted password with blanks, whose first word is one by itself', async () => {
  await becomes('password: "hU8kd02Pq aside a" so', 'password: "[PASSWORD]" so')
  await becomes('{"password": "hU8kd02Pq and more", "port": 1}', '{"password": "[PASSWORD]", "port": 1}')
  await becomes("password = 'hU8kd02Pq and more'\nbye", "password = '[PASSWORD]'\nbye")
  // Nothing closes the quote in its line.
  await becomes('password: "hU8kd02Pq and\nmore" so', 'password: "[PASSWORD] and\nmore" so')
})

test('a quoted passphrase of plain words', async () => {
  await becomes('password: "correct horse battery staple" so', 'password: "[PASSWORD]" so')
  await becomes('{"password":"violet tractor lemon orbit cable","port":1}', '{"password":"[PASSWORD]","port":1}')
  await becomes("login --password 'violet tractor lemon orbit' --yes", "login --password '[PASSWORD]' --yes")
})

test('quoted sentences are no passwords', async () => {
  for (const value of [
    'Must contain 8 characters',
    'Enter your password here',
    'required|min:8 is the rule',
    'min:8 max:64',
    'at least eight characters long',
    'violet tractor lemon',
    'passwort muss acht zeichen haben',
    'violet tractor lemon orbit, for example',
  ])
    await becomes(`password: "${value}" so`, `password: "${value}" so`)
})
