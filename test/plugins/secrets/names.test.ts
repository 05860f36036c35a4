/** Names that go on behind the word, words within keys, and settings of servers; each whole and at every split. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { harness, splits } from '../../helpers/detector.ts'

const h = harness(plugin as never, { input: 'redact' })

const MIXED = 'a8F5kQ167z44fP9e6Wxc827Rt9Bv3NyL'
const LOW = 'czfbeozkgcnkfrizk04kvzs7lyhyewgx'
const HEX = '3f9a1c7be2d84056a1b2c3d4e5f60718'
const UUID = '3d4f2bf0-7dc3-4a1c-9e6b-8f2a1d0c5e7b'
const PW = 'x9Kq2vLm7Rt'
const DJANGO = '%q5&v(z8@*3n^w!k+e0_r7#d$g)m1=y4x-t9h6b2jcpslafu'
const SALT = 'H{~7d#sK!v2 Q|z^0 pL&x)8Wc@e;Rn5>yT}uJ-mB3fG(aX*oZ]qE6hN+iY9kV<w'

/** `{v}` and the type of the finding in its place. */
const FOUND: readonly (readonly [text: string, value: string, type: string])[] = [
  // The name goes on behind the word.
  ['API_KEY_WEATHER={v}', HEX, 'API_KEY'],
  ['API_KEY_WEATHER="{v}"', MIXED, 'API_KEY'],
  ['const tokenForReports = "{v}"', MIXED, 'API_KEY'],
  ['SECRET_STRIPE: {v}', MIXED, 'API_KEY'],
  ['  "token_acme_eu": "{v}",', UUID, 'API_KEY'],
  ['PASSWORD_ROOT={v}', PW, 'PASSWORD'],
  ["db_password_reporting = '{v}'", PW, 'PASSWORD'],
  ['passwordReadOnly: {v}', PW, 'PASSWORD'],
  ['PASSWORD_ADMIN_ACCOUNT: {v}', PW, 'PASSWORD'],
  // A word of the sentence before the name.
  ['stop TOKEN="{v}"', MIXED, 'TOKEN'],
  ['the current token: {v}', MIXED, 'TOKEN'],
  ['Input token = "{v}"', MIXED, 'TOKEN'],
  // Other names.
  ['openweatherApi = "{v}"', LOW, 'API_KEY'],
  ['twitter_access = "{v}"', MIXED, 'API_KEY'],
  ['psk="{v}"', PW, 'PASSWORD'],
  ['10.0.0.1 10.0.0.2 : PSK "{v}"', PW, 'PASSWORD'],
  // Letters that read like nothing, of one case or short.
  ["acme token - '{v}'", 'YGIQXPGZSVVGVGOREMAE', 'TOKEN'],
  ["acme token = '{v}'", 'SSVmFDNCFfOHKXQAEckx', 'TOKEN'],
  ["acme token = '{v}'", 'vZrEclFwOqeA', 'TOKEN'],
  // A service whose name alone makes a `key` a credential.
  ['detectlanguage KEY {v}', MIXED, 'API_KEY'],
  ['sherpadesk = "{v}"', MIXED, 'API_KEY'],
  ['mixpanel {v} is the key', MIXED, 'API_KEY'],
  ['pandadoc ACCESS {v}', MIXED, 'API_KEY'],
  ['walkscore PRIVATE {v}', HEX, 'API_KEY'],
  ['dandelion key {v}', HEX, 'API_KEY'],
  ['stockdataPRIVATE: {v}', HEX, 'API_KEY'],
  ['hellosignACCESS-TOKEN-{v}', MIXED, 'API_KEY'],
  ['zipcodebase-SECRET-{v}', UUID, 'API_KEY'],
  ['urlscanPRIVATEkey-{v}', HEX, 'API_KEY'],
  ['eventbrite private access key\n{v}\n', MIXED, 'API_KEY'],
  ["websitepulse '{v}'", HEX, 'API_KEY'],
  ['solarwinds ACCESS {v}', HEX, 'API_KEY'],
  ['gyazo = "{v}"', MIXED, 'API_KEY'],
  // Keys of these are as long as hashes, or UUIDs.
  ['cloudsmith {v} is the key', HEX, 'API_KEY'],
  ['ZIPCODEBASE={v}', UUID, 'API_KEY'],
  ['ipstack: "{v}"', HEX, 'API_KEY'],
  // In columns, behind a dash, and short.
  ['Access Token      {v}\n', `00D8a${MIXED}`, 'TOKEN'],
  ['APIKEY - {v}', HEX, 'API_KEY'],
  ["acme token = '{v}'", 'rb1nz5xhues', 'TOKEN'],
  // Bare: signs of all kinds, and letters alone.
  ['ACME_API_KEY={v}', 'r7^Kx2*Qm9!vZ4pT', 'API_KEY'],
  ['export SECRET_KEY={v}', 'xqjzkwvbpfhgtdrmcxznqjwvkbtgfhxp', 'API_KEY'],
  ['jira {v}', `glpat-${MIXED}`, 'GITLAB_TOKEN'],
  // Words of vendors within a key.
  ['use acme_live_{v} here', MIXED, 'PREFIXED_KEY'],
  ['x("ACME_SECRET_{v}")', MIXED, 'PREFIXED_KEY'],
  // Shapes.
  ["SECRET_KEY = '{v}'", DJANGO, 'API_KEY'],
  ["define('AUTH_KEY', '{v}');", SALT, 'API_KEY'],
  ["define( 'NONCE_SALT',       '{v}' );", SALT, 'TOKEN'],
  ['DROPBOX_TOKEN={v}', 'yq2vnjozkzvjlen', 'TOKEN'],
  ['acme_token: "{v}"', 'acme_production_2h16jfjzgtwss1ligt_ty8tn', 'TOKEN'],
  ['acme_token = "{v}\r"', MIXED, 'TOKEN'],
  ['token = "{v} "', 'a8F5#Q167z44fP9e6W', 'TOKEN'],
  ["secret: ' {v}  '", 'a8F5+Q167z44fP9e6Wxc82=', 'SECRET'],
  ['Authorization: Basic {v}', 'djJlNEpYa0NJUHZ5a2FWT0VRXzRqZmZUdDkwYTp2emNBZGFzZWpmlWZi', 'BASIC_CREDENTIALS'],
  // Servers, routers and databases.
  ['requirepass {v}', PW, 'PASSWORD'],
  ['masterauth "{v}"', PW, 'PASSWORD'],
  ['redis-cli -h cache AUTH {v}', PW, 'PASSWORD'],
  ['redis-cli AUTH default {v}', PW, 'PASSWORD'],
  ['redis-cli AUTH {v} && redis-cli PING', PW, 'PASSWORD'],
  ['run redis-cli AUTH {v} to log in', PW, 'PASSWORD'],
  ['user default on >{v} ~* +@all', PW, 'PASSWORD'],
  ['db.auth("admin", "{v}")', PW, 'PASSWORD'],
  ['rabbitmqctl add_user app {v}', PW, 'PASSWORD'],
  ['db.example.com:5432:app:bob:{v}', PW, 'PASSWORD'],
  ['jdbc:oracle:thin:scott/{v}', PW, 'PASSWORD'],
  ['credentials = ("bob", "{v}")', PW, 'PASSWORD'],
  ['username admin password 7 {v}', '0822455D0A16', 'PASSWORD'],
  ['username admin privilege 15 secret {v}', PW, 'PASSWORD'],
  ['enable secret {v}', PW, 'PASSWORD'],
  ['crypto isakmp key {v} address 0.0.0.0', PW, 'PASSWORD'],
  [' pre-shared-key {v}', PW, 'PASSWORD'],
  ['snmp-server community {v} RO', PW, 'PASSWORD'],
  ['tacacs-server key 7 {v}', PW, 'PASSWORD'],
]

test('names that go on, and settings of servers, are found, whole and at every split', async () => {
  for (const [template, value, type] of FOUND) {
    const text = template.replace('{v}', () => value)
    const want = template.replace('{v}', `[${type}]`)
    assert.equal((await h.input(text)).text, want)
    for (const pieces of [...splits(text), [...text]]) assert.equal((await h.output(pieces)).text, want, text)
  }
})

test('what only looks like them stays', async () => {
  for (const text of [
    // Parts that say what else it is, and values that are words.
    `API_KEY_ID=${MIXED}`,
    `token_hash: ${HEX}`,
    `"passwordResetUrl": "${MIXED}"`,
    `password_digest = "${MIXED}"`,
    'tokenBucketSize = 1024Kb',
    'secret_santa = "list-of-2024-participants"',
    'API_KEY_HEADER: X-Acme-Api-Key-V2',
    'password-based: PBKDF2WithHmacSHA256 is used',
    'passwordAuthenticationMethod: "Argon2idV13"',
    'TOKEN_PROVIDER=google-oauth2-v3',
    'UsernamePasswordToken":236:{a:3:{i:0;N;i:1',
    'security:\n  password_hashers:\n    JMS\\FooBundle\\Entity\\User7: ~',
    'const accessLevels = "read-write-2"',
    'access: "public_read_2"',
    // Names, hashes and ids beside a service.
    `datadog-api-secret-${HEX} and mailgun ${HEX}`,
    'datadog-secret-123e4567-e89b-12d3-a456-426614174000',
    `a name: solarwinds-token-${UUID}`,
    `netlify 'deploy-preview-1234'`,
    'PRICE_TOKEN=a1*b2+(c3^d4)-e5/f6 and API_KEY=getKeyFromEnvironmentOrVault, TOKEN=internationalization',
    'API_KEY=abcdefghijklmnopqrst TOKEN=qwertyuiopasdfghjkl',
    'token = "utf8"; token: "h264x265"; apiKey = "version2a"; token: "a1b2c3d4"',
    `wandb run 3f9a1c7b, ipstack v1.2.3, netlify ${HEX}`,
    'Session token - the part behind v2, api key      see below2',
    `eventbrite key\nEvents-of-2026-and-more`,
    `etherscan 0x${HEX}${HEX}`,
    'netlify deploy-preview-1234--my-site-name2',
    'contentful.key.getEntriesByContentTypeAndLocale2',
    'require mailgun/mailgun-go/v4 v4.12.0, algolia search-client-v5-requester-node-http2',
    'Jira PROJECT-20261128, a confluence page2026-getting-started',
    // Words within names, hashes, publishable keys.
    'test_token_ThisIsALongCamelCaseName2',
    `asset_live_${HEX}`,
    `pk_live_51H8xkLmNoPqRsTuVwXyZ0123`,
    'https://checkout.stripe.com/c/pay/cs_live_a1Mhz7x8KqPwv3RtYbN2sLdF5gHjK9cVzXqW',
    // Addresses in a blockchain.
    'tokenMint = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"',
    '"tokenAddress": "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"',
    '"fromTokenAccount": "7UX2i7SucgLMQcfZ75s3VXmZZY4YRUyJN9X1RgfMoDUi"',
    'STS.AssumeRoleWithWebIdentity',
    // Sentences and expressions in quotes, samples.
    'token: "5% of all & more, or 32 % with 2 extras, at least"',
    "secret = '^[a-z0-9]{32}$|^[A-F0-9]{40}$'",
    "define('AUTH_KEY', 'put your unique phrase here');",
    'requirepass foobared',
    'enable secret access for 3 users',
    'enable password authentication in sshd_config2',
    'user bob on >/dev/null',
    'db.auth("admin", "password")',
    'PSK modulation uses 16QAM2 symbols',
    'jdbc:oracle:thin:@db.example.com:1521/shop1',
    'snmp-server community public RO',
    'credentials = ("user", "read")',
    'db.example.com:5432/app1',
  ]) {
    assert.equal((await h.input(text)).text, text)
    for (const pieces of [...splits(text), [...text]]) assert.equal((await h.output(pieces)).text, text)
  }
})
