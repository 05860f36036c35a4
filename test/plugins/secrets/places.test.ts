// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts under test
/** Where the value of a label may stand in code, tests, templates and notes; each whole and at every split. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { harness, splits } from '../../helpers/detector.ts'

const h = harness(plugin as never, { input: 'redact' })

const KEY = 'a8F5kQ167z44fP9e6Wxc827R'
const PW = 'x9Kq2vLm7Rt'

const COMPARED = [
  'if (password.equals("{v}")) {',
  'if (user.getPassword().Equals("{v}"))',
  'if (!strcmp(password, "{v}"))',
  "self.assertEqual(user.password, '{v}')",
  "expect(user.password).toBe('{v}')",
  'expect(password).to eq("{v}")',
]

const SET = [
  'props.put(DB_PASSWORD, "{v}");',
  'curl_setopt($ch, CURLOPT_KEYPASSWD, "{v}");',
  'parser.add_argument("--password", default="{v}")',
  "config.get('db', 'password', fallback='{v}')",
  'password = os.environ.get("DB_PASSWORD") or "{v}"',
  'Set-Variable -Name password -Value "{v}"',
  'aws ssm put-parameter --name /db/password --type SecureString --value "{v}"',
  '(setenv "API_PASSWORD" "{v}")',
  '{password, "{v}"}.',
  'QString password = QStringLiteral("{v}");',
  'auto password = std::string{"{v}"};',
  'String JWT_PASSWORD = BASE64.encode("{v}");',
  'var password: String { "{v}" }',
  'test_pass = "{v}"',
]

const TYPED_IN = [
  'find("#password").send_keys("{v}")',
  "cy.get('input[name=password]').type('{v}')",
  `await page.fill('input[name="password"]', '{v}')`,
  'fill_in "Password", with: "{v}"',
  "document.getElementById('password').value = '{v}'",
]

const TEMPLATES = [
  'DBPassword:\n    Type: String\n    Default: {v}',
  '"adminPassword": { "type": "securestring", "defaultValue": "{v}" }',
  'variable "db_password" {\n  description = "of the database"\n  default     = "{v}"\n}',
  '{ name: DB_PASSWORD, value: "{v}" }',
  'ParameterKey=DBPassword,ParameterValue={v}',
  'args:\n  - --password\n  - {v}',
  'password: &pw {v}',
  '<setting name="Password" serializeAs="String"><value>{v}</value></setting>',
  '<param-name>password</param-name><param-value>{v}</param-value>',
]

const NOTES = [
  'Password - {v}',
  'Password (root): {v}',
  'Password → {v}',
  'Password:\n\n    {v}',
  'the password for staging:{v}',
  'The password was changed to {v}',
  'heslo = "{v}"',
  'סיסמה: {v}',
]

const STATEMENTS = [
  'CREATE USER bob IDENTIFIED BY {v};',
  "ALTER USER 'bob'@'%' IDENTIFIED WITH 'mysql_native_password' AS '{v}'",
  "EXEC sp_addlogin 'bob', '{v}'",
  'ConvertTo-SecureString -AsPlainText -Force -String "{v}"',
  'login("bob", "{v}")',
  "generate_password_hash('{v}')",
  "bcrypt.hashSync('{v}', 10)",
  'new PasswordAuthentication("bob", "{v}".toCharArray())',
]

const TOKENS = [
  'val token get() = "{v}"',
  'val token by lazy { "{v}" }',
  'var secret = Encoding.UTF8.GetBytes("{v}");',
  'if secret := getenv("SECRET_NAME", "{v}"):',
  '<meta-data android:name="com.example.API_TOKEN" android:value="{v}" />',
  'if (authToken.Equals("{v}")) {',
]

async function isFound(template: string, value: string, type: string): Promise<void> {
  const text = template.replace('{v}', value)
  const want = template.replace('{v}', `[${type}]`)
  assert.equal((await h.input(text)).text, want)
  for (const pieces of [...splits(text), [...text]]) assert.equal((await h.output(pieces)).text, want, text)
}

const ROWS = { COMPARED, SET, TYPED_IN, TEMPLATES, NOTES, STATEMENTS }
for (const [name, templates] of Object.entries(ROWS))
  test(`a password is found, whole and at every split: ${name.toLowerCase()}`, async () => {
    for (const template of templates) await isFound(template, PW, 'PASSWORD')
  })

test('a short password in the place of a secret, and names of members of C++', async () => {
  await isFound("app.secret = '{v}'", PW, 'SECRET')
  await isFound('const char *token_ = "{v}";', KEY, 'TOKEN')
  await isFound('pass_word = "{v}"', PW, 'PASSWORD')
  await isFound('dbPw = "{v}"', PW, 'PASSWORD')
})

test('a token is found in the same places, and a password in an address that goes on', async () => {
  for (const template of TOKENS) await isFound(template, KEY, template.includes('ecret') ? 'SECRET' : 'TOKEN')
  await isFound('open("postgres://bob:{v}@" + host)', PW, 'URL_CREDENTIALS')
})

test('words, names and calls in these places stay', async () => {
  for (const text of [
    'if (password.equals(other)) {',
    'assertEqual(user.password, hashed)',
    'hash(password, "sha256")',
    'strcmp(password, "letmein")',
    'password or "none"',
    'fill_in "Password", with: user.password1',
    'CREATE USER bob IDENTIFIED BY password;',
    'The rows are identified by id123456.',
    'ConvertTo-SecureString $env:PASSWORD1 -AsPlainText',
    'Password - required',
    'Password (optional): none',
    'the password was changed to something else in 2024',
    '[Parameter(Password, Value=Name1)]',
    'login("bob", "redirect")',
    'secret: "db-secret1"',
    'secretName: "Abc123Def"',
    'open("http://example.com:8080/a@" + host)',
    'cy.get("#password").type(user.password1)',
    'Password:\n\nThe field for a password.',
  ]) {
    assert.equal((await h.input(text)).text, text)
    for (const pieces of [...splits(text), [...text]]) assert.equal((await h.output(pieces)).text, text)
  }
})
