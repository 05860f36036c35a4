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
  'sql.Open("mysql", "root:{v}@tcp(localhost:3306)/app")',
  'gorm.Open(mysql.Open("root:{v}@tcp(db)/app"))',
  'MYSQL_DSN=root:{v}@tcp(db:3306)/app',
  'DATABASE_URL="root:{v}@unix(/run/mysqld.sock)/app"',
  'smtp.PlainAuth("", "bob", "{v}", "smtp.example.com")',
]

/** Of letters alone, or with a dot as between names. */
const LETTERS: readonly (readonly [string, string])[] = [
  ['MYSQL_PASSWORD={v}', 'skSyHuEwLXjLBnxiwHpo'],
  ['MYSQL_PASSWORD={v}', 'dAOBntIDnB'],
  ['password: {v}', 'UrSrLhstqT'],
  ['"password": "{v}"', 'rQmXvKtbLw'],
  ['"password": "{v}"', 'bnQTCCF-i_yfEHNKpPQdoS'],
  ["password='{v}'", 'DmzSZMxsuIqk.ZFb_jnaXbAxLMj'],
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
    'sql.Open("mysql", "root:password@tcp(127.0.0.1:3306)/app")',
    'DSN=root:@tcp(127.0.0.1:3306)/app2',
    'dsn = fmt.Sprintf("%s:%s@tcp(%s)/app1", user, pass, host)',
    'DATABASE_URL=localhost:5432',
    // A checksum, and the token of a public key of which a reading takes the beginning.
    '"integrity": "sha512-l7sESNbFTbz8peGt9vxLxHDO0AWvS12oMiQ80S1GQOt1ua4S9/SKC83OvyVLEdpBDpBkXTelNz5whczcWexQ=="',
    'Culture=neutral, PublicKeyToken=7cec85d7bea7798e',
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
  ]) {
    assert.equal((await h.input(text)).text, text)
    for (const pieces of [...splits(text), [...text]]) assert.equal((await h.output(pieces)).text, text)
  }
})
