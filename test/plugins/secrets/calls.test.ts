/** Calls that take a credential, and passwords of letters alone; each whole and at every split. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { harness, splits } from '../../helpers/detector.ts'

const h = harness(plugin as never, { input: 'redact' })

const KEY = 'a8F5kQ167z44fP9e6Wxc827R'
const PW = 'x9Kq2vLm7Rt'

const TOKENS = [
  'token.SignedString([]byte("{v}"))',
  "const t = jsonwt.sign(payload, '{v}')",
  'Algorithm.HMAC256("{v}");',
  'hmac.new(b"{v}", msg, hashlib.sha256)',
  'mac := hmac.New(sha256.New, []byte("{v}"))',
  "crypto.createHmac('sha256', '{v}').update(x)",
  "OpenSSL::HMAC.hexdigest('sha256', '{v}', data)",
  "hash_hmac('sha256', $data, '{v}');",
  'new HMACSHA256(Encoding.UTF8.GetBytes("{v}"))',
  "crypto.createCipheriv('aes-192-cbc', '{v}', iv)",
  "cipher = AES.new(b'{v}', AES.MODE_CBC)",
  "f = Fernet('{v}')",
  "CryptoJS.AES.encrypt(msg, '{v}')",
  "openssl_encrypt($d, 'aes-256-cbc', '{v}')",
  'Jwts.builder().signWith(SignatureAlgorithm.HS256, "{v}")',
  "JWT::encode($payload, '{v}', 'HS256')",
  "JWT.encode payload, '{v}', 'HS256'",
  "app.use(cookieParser('{v}'))",
  "new JwtStrategy({ secretOrKey: '{v}' })",
]

const PASSWORDS = [
  "pymysql.connect('db.example.com', 'root', '{v}', 'app')",
  'MySQLdb.connect("localhost","root","{v}","app")',
  "mysql_connect('localhost', 'root', '{v}');",
  "oci_connect('scott', '{v}', 'db/XE');",
  "ldap_bind($c, 'cn=admin,dc=x', '{v}');",
  "ftp_login($c, 'bob', '{v}');",
  "f = FTP('ftp.example.com', 'bob', '{v}')",
  "server.login('bob', '{v}')",
  "new Sequelize('app', 'root', '{v}', {})",
  'Credentials.basic("bob", "{v}")',
  "OpenSSL::PKey::RSA.new(key_pem, '{v}')",
  'key.to_pem(cipher, "{v}")',
  'keyStore.load(in, "{v}".toCharArray());',
  'new PBEKeySpec("{v}".toCharArray(), salt, 1000)',
  'smtp.PlainAuth("", "bob", "{v}", "smtp.example.com")',
]

/** Of letters alone, or with a dot as between names. */
const LETTERS: readonly (readonly [string, string])[] = [
  ['MYSQL_PASSWORD={v}', 'skSyHuEwLXjLBnxiwHpo'],
  ['MYSQL_PASSWORD={v}', 'dAOBntIDnB'],
  ['password: {v}', 'UrSrLhstqT'],
  ['"password": "{v}"', 'rQmXvKtbLw'],
  ['DB_PASSWORD={v}', 'Qc.q3V7xZA085d1Pk'],
  ['snmp.privKey={v}', '5a49db9b1c2a5d0147319db878d08544'],
]

async function isFound(template: string, value: string, type: string): Promise<void> {
  const text = template.replace('{v}', value)
  const want = template.replace('{v}', `[${type}]`)
  assert.equal((await h.input(text)).text, want)
  for (const pieces of [...splits(text), [...text]]) assert.equal((await h.output(pieces)).text, want, text)
}

test('the argument of a call that is a key is found, whole and at every split', async () => {
  for (const template of TOKENS)
    await isFound(template, KEY, template.includes('Jwt') && template.startsWith('new') ? 'API_KEY' : 'TOKEN')
})

test('the argument of a call that is a password is found, whole and at every split', async () => {
  for (const template of PASSWORDS) await isFound(template, PW, 'PASSWORD')
})

test('a password of letters that read like no words is found, whole and at every split', async () => {
  for (const [template, value] of LETTERS)
    await isFound(template, value, template.startsWith('snmp') ? 'API_KEY' : 'PASSWORD')
})

test('other arguments, and names in code, stay', async () => {
  for (const text of [
    "crypto.createHmac('sha256', secret).update('a8F5kQ167z44fP9e6Wxc827R')",
    'jwt.sign(payload, config.privateKey2)',
    "crypto.createCipheriv('aes-256-cbc', key1, iv1)",
    "page.login('bob', 'redirect')",
    'Math.sign(x, y2)',
    "pymysql.connect('db.example.com', 'root', password2)",
    "new Sequelize('app', 'root', 'password')",
    'password = getUserPasswordFromVault',
    'password=sqlPasswordField',
    'DB_PASSWORD=rootPasswordHere',
    'password: kms.AES256',
    'password = settings.dbPassword2',
    'PASSWORD=daysOfWeek',
  ])
    assert.equal((await h.input(text)).text, text)
})
