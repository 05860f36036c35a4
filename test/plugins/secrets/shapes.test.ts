/** Values of random shapes behind labels, calls over lines, and names of services; each whole and at every split. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { harness, splits } from '../../helpers/detector.ts'

const h = harness(plugin as never, { input: 'redact' })

const MIXED = 'a8F5kQ167z44fP9e6Wxc827Rt9Bv3NyL'
const LOW = 'czfbeozkgcnkfrizk04kvzs7lyhyewgx'
const HEX = '3f9a1c7be2d84056a1b2c3d4e5f60718'
const PAT = `${'x7Kp2Qm9Zt4Rw8Vb3Ny6Ls1Hd5Gf0Jc2Ak7Xe9Uo4Ti8Pq3Mz6Wr'}JQQJ77BAACAAAAAAAAAAAAASAZDO4x2F`

/** `{v}` and the type of the finding in its place. */
const FOUND: readonly (readonly [text: string, value: string, type: string])[] = [
  // A call over several lines.
  ['jwt.sign(\n        payload,\n        "{v}",\n    )', MIXED, 'TOKEN'],
  ["basicAuth(\n            'bob',\n            '{v}')", 'Bs8dfY7sdf', 'PASSWORD'],
  ['client.setBasicAuth(\n\t\t"bob",\n\t\t"{v}",\n\t)', 'Bs8dfY7sdf', 'PASSWORD'],
  ['os.environ.setdefault(\n    "API_TOKEN",\n    "{v}",\n)', MIXED, 'TOKEN'],
  ['.password(\n                "{v}")', 'Bs8dfY7!sdf', 'PASSWORD'],
  ['token = (\n        "{v}"\n)', MIXED, 'TOKEN'],
  ['const secret =\n  process.env.APP_SECRET ||\n  "{v}"', MIXED, 'SECRET'],
  ['"auth.login_with_api_key",\n  "params": [\n    "{v}"\n  ]', `10-${MIXED}`, 'TOKEN'],
  // An index.
  ["assert.equal(parsed['AccountKey'], '{v}')", MIXED, 'API_KEY'],
  // Names of an API.
  ['WEATHER_API={v}', HEX, 'API_KEY'],
  ["const newsApi = '{v}'", HEX, 'API_KEY'],
  ["algoliasearch('LATENCY123', '{v}')", HEX, 'TOKEN'],
  ["api = shodan.Shodan('{v}')", MIXED, 'TOKEN'],
  // Passwords and tokens whose label is one word in capitals, or a short one.
  ['ACRPWD={v}', 'Cw8xeDNK6Bub3p61aq5ijTiVvtB', 'PASSWORD'],
  ['azure devops pat = {v}', PAT, 'TOKEN'],
  ['PAT="{v}"', MIXED, 'TOKEN'],
  // Few digits, only hexadecimal digits, equals signs within.
  ['ACME_KEY={v}', LOW, 'API_KEY'],
  ['ACME_KEY={v}', 'kT4RqwXbPzHmVnLsGd', 'API_KEY'],
  ['ACME_KEY={v}', HEX.slice(0, 24), 'API_KEY'],
  ['ACME_SECRET={v}', 'xk=9b2v7m4q8w1z6r3t5', 'SECRET'],
  ["token = '{v}'", 'en0h_MAbEdRtEPRN-3CDREyU2E9s2lhogDbZ', 'TOKEN'],
  ['api_key: "{v}"', 'xK4hPqRtYbNmZw', 'API_KEY'],
  // A service that is named beside its key.
  ['my openweather key {v} please', HEX, 'API_KEY'],
  ['SPOONACULAR_KEY={v}', 'k4tr9qwxbpzhmvnl', 'API_KEY'],
  ['mailgun "{v}"', MIXED, 'API_KEY'],
  ["kraken: '{v}'", `${MIXED}+/x9==`, 'API_KEY'],
  ['scraping_bee = "{v}"', MIXED.toUpperCase(), 'API_KEY'],
  ['intercom = "{v}"', 'we51df6ol2_66qllxp8g-ynk2j70xiald6wt32i4', 'API_KEY'],
  ["kraken = '{v}'", 'pakoef=m/dq7sk4w1lq+q9rw6ez74f5t2n=51v68+v39y7shlt3z6', 'API_KEY'],
  ['kagi: {v}', '27ya3iqkuwy.hjsqq4iw9031_rg0_wtqrls20k4hxwojc8p8h', 'API_KEY'],
  ['poloniex = "{v}"', 'YQJ7IB21-2P47PWV4-ZE9TDY7M-Y0W5H8QY', 'API_KEY'],
  ['postmark={v}', 'jtz48d3t-7sws-4tib-gn5f-rbk2b5h7v3gl', 'API_KEY'],
  ['nexmo: "{v}"', 'k4Tr9qWx2Bpz7Hmv', 'API_KEY'],
  ['finicity = "{v}"', HEX, 'API_KEY'],
  ['hunter = "{v}"', MIXED, 'API_KEY'],
  ['"mapquest_PRIVATE": "{v}"', MIXED, 'API_KEY'],
  // A known beginning, another length or alphabet.
  ['Use {v} for it.', 'nvapi-x7Kp2Qm9Zt4Rw8Vb3Ny6Ls1H', 'NVIDIA_API_KEY'],
  ['Use {v} for it.', `glsa_${MIXED.slice(0, 20)}`, 'GRAFANA_SERVICE_ACCOUNT_TOKEN'],
  ['telegram {v} end', `4839574813:AA${'FD39kkdpWt3ywyRZergyOLMaJhac61qc'}`, 'TELEGRAM_BOT_TOKEN'],
]

test('shapes that no other test has are found, whole and at every split', async () => {
  for (const [template, value, type] of FOUND) {
    const text = template.replace('{v}', value)
    const want = template.replace('{v}', `[${type}]`)
    assert.equal((await h.input(text)).text, want)
    for (const pieces of [...splits(text), [...text]]) assert.equal((await h.output(pieces)).text, want, text)
  }
})

test('what only looks like them stays', async () => {
  for (const text of [
    // Lists of words, properties and files over lines.
    '["username",\n "password",\n "user2name", "ddclient2"]',
    'values("spring.security.user.password=password",\n\t"spring.security.user.name2=bob1")',
    `containsKeys("${HEX}/layer.tar",\n\t"${HEX}${HEX}/layer.tar")`,
    't("login.password",\n  "Your password, at least 8 characters")',
    'jwt.sign(\n  payload,\n  config.secret,\n)',
    'password(\n  "required"\n)',
    'token = (\n    settings.token2 or default_token1\n)',
    // An API that is no key.
    'const api = "https://api.example.com/v2"',
    'api: "v1beta1"',
    'PAYMENT_API=payments-service-v2-internal',
    'newsApi = createNewsApiClient2()',
    "docs_api = 'reference/rest-api-v3-overview'",
    // The directory of a shell, patterns.
    'OLDPWD=/home/bob/project2',
    'HOSTPWD=$PWD',
    'pat = "[a-z0-9]{8}-[a-z0-9]{4}"',
    'PAT = re.compile(r"v[0-9]+x2")',
    'a pat on the back 12times',
    // Names with a number, ids, hashes, paths.
    'CACHE_KEY=507f1f77bcf86cd799439011',
    'primary_key=user_account_id2',
    'ACME_KEY=acmeServerKeyFile2',
    `fastly = "${HEX}"`,
    'intercom = "d0b1c2e3-79a9-475d-b8e3-b2200edbc52a"',
    'heroku "heroku-postgresql-essential-0-plan"',
    'scaleway = "s3/fr-par/my-bucket/backups2024"',
    'trello "Board of the team 2024"',
    'Heroku key concepts and terms, 2nd edition',
    'the bitbucket key fingerprint2024 has changed',
    'scrapfly keyboard-shortcuts-v2-overview',
    // Of services beside their name: ids of orders, records, machines and pages.
    'kraken = "OQ4L7M-B93P3-BUCM5Z"',
    'airtable = "rec8xK3mPq2LwZ9Tt"',
    'salesforce = "a0B5g000004XyZ3EAK"',
    'datadog = "i-0a1b2c3d4e5f67890"',
    'telegram: "https://t.me/joinchat/AAAAAEkk2WdoDrB4-Q8-gg"',
    'facebook = "act_1234567890123456"',
    'shortcut key: Ctrl+Shift+F5',
    // Names in code with a known beginning.
    'npm_config_user_agent_2 glsa_dashboard_v2_backup nvapi-model-endpoint-v2-config',
    'shippo_live_tracking_number_update2 retool_database_v2 dvc_server_instance_01',
    `loadStripe(pk_test_${MIXED})`,
    `build v1.0-${HEX}`,
    // Equals signs between a name and its value, and of a repeated row.
    'secret=id=mysecret2,src=file',
    'token: name=value-of-the-name2',
    `token = ${'A'.repeat(40)}${'x7Kp2Qm9Zt4Rw8Vb'}${'A'.repeat(20)}`,
    'telegram 4839574813:AAsomething',
  ]) {
    assert.equal((await h.input(text)).text, text)
    assert.equal((await h.output([...text])).text, text)
  }
})
