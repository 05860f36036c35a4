/** Keys that are shorter than tokens, numeric, or only arguments of a client; each whole and at every split. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { harness, splits } from '../../helpers/detector.ts'

const h = harness(plugin as never, { input: 'redact' })

const UUID = '7b1e90c4-2d5f-4e13-9a86-c03f5d7e21b8'
const KEY = 'a8F5kQ167z44fP9e6Wxc827R'

/** Frame, value. */
const FOUND: readonly (readonly [string, string])[] = [
  // Short, of all kinds of characters.
  ['curl -X POST --header "Api-Token: {v}"', 'Rk72MF9c5QB'],
  ['{"parsing_api_key": "{v}"}', 'KdxgMJGBpq4F'],
  ['const sms_api_secret = "{v}";', 'Rq0Zt6wM'],
  ['Here is our geo api key: {v}', 'Bjw4MF7lyG'],
  ['licence_key: {v}', 'MQJ-NZE-CX5-QQ4'],
  // Digits only, longer than ids.
  ['SALES_CLIENT_SECRET={v}', '8737064002974305671'],
  ['{"vb_api_key": "{v}"}', '9621735801419037647643590'],
  // As people make passwords.
  ['{"clientSecret":"{v}"}', 'Green-kQTTv3PL9'],
  ['args: ["--token={v}"]', 'otter-rKhqZ99'],
  ["export SERVICE_TOKEN='{v}' && ./deploy.sh", 'Köln#kD7XmK?x'],
  ['api_key: "{v}"', 'Winter!Bz16!'],
  ['{"secret": "{v}"}', 'Spring!Cqpp9437'],
  // Ids of the same digit before the random part, and a slash at the beginning.
  ['"access_token": "{v}"', 'xoxa-2-711111111-71111111111-7111111111111-b048c17230a0e6572d'],
  ['export AWS_SECRET_ACCESS_KEY="{v}"', '/Hu/Xrt5g04CC+gdTJ5XlK2wV6d+hFBjGEtQjHX'],
  // What makes a client of a service.
  ['client := postmark.NewClient("{v}")', UUID],
  ['const hs = new HubSpotAPI("{v}");', UUID],
  ["Shodan('{v}')", KEY],
  ["api = Plivo.RestClient('ann@example.com', '{v}')", KEY],
  ['client := datadog.NewClient("{v}")', 'de91d41e316ff0034580ca3fed147060203fad84'],
  ["from acme import Client\nclient = Client('{v}')", KEY],
  ['const api = createClient("{v}");', KEY],
  ['mistral: {v}', 'KhQfXzvBqLmTrWcJdNpYsGtVbHkRxZ4n'],
  ['curl -u {v}: https://api.example.com/v1/charges', 'tMOQrgcAefJBSmhuiQvRkvivMLShaYXKcpvT'],
  ['DUO_SKEY={v}', 'CVZZKIOF2aEHdx7PfexiND3Bedai4axLMC9C2JFe'],
  ['nimble KEY {v}', 'Y7tJ2mL4K9pHQ'.concat('vM3J2rN8qK6z3X5s')],
  ['railway = "{v}"', UUID],
  // Without a password, and of a package source.
  ['curl -u "{v}:" https://localhost:9200', 'd7LkV38zMx!t'],
  ['export BUNDLE_GEMS__EXAMPLE__COM=4f8a2b1c:{v}', '9d8e7f6a'],
]

test('short, numeric and constructed keys are found', async () => {
  for (const [frame, value] of FOUND) {
    const text = `${frame.replace('{v}', () => value)}\nand more text`
    const { text: got } = await h.input(text)
    assert.match(got.replace(frame.split('{v}')[0]!, ''), /\[[A-Z_]+\]/, text)
    assert.ok(!got.includes(value.slice(-6)), `${text}: ${got}`)
    for (const pieces of splits(text)) assert.equal((await h.output(pieces)).text, got, JSON.stringify(pieces[0]))
  }
})

const HARMLESS: readonly string[] = [
  '[![codecov](https://codecov.io/gh/a/b/graph/badge.svg?token=jcRdy8SkOG)](https://codecov.io/gh/a/b)',
  'token: Uint8Array',
  'secret: iOS17Beta',
  'token = save_user!',
  'api_key: "Wow!Great"',
  'secret_key = "Outer$Inner12"',
  'token: prod-eu2-west1',
  'secret_number: 123456789012345678',
  'api_key: 1234567890123456789012345',
  'token: 1700000000123456',
  'client := shodan.NewClient("default-region")',
  'new TwilioClient("main", "secondary")',
  'mapbox("light-v10-style-7f3a")',
  'const map = new MapboxAPI("mapbox://styles/mapbox/streets-v12")',
  'Client("0f2b6d8c-4a1e-4c57-8b39-d2e6a7c90f13")',
  "boto3.client('secretsmanager-eu-west-1')",
  'new HttpClient("https://api.example.com/v1/8f3a91c2d7")',
  'createClient("primaryReadReplicaConnection2")',
  'mistral = openMistralSevenBillionInstruct',
  'curl -u administrator: https://localhost:9200',
  'curl -u "Backup2User3Name:" https://localhost:9200',
  'BUNDLE_GEMS__EXAMPLE__COM=user:password',
  'access_token: "xoxa-2-711111111-71111111111-7111111111111-xxxxxxxxxxxxxxxxxx"',
  'aws_secret_access_key = /srv/keys/aws/secret',
]

test('names, numbers, badges and arguments that are no keys stay', async () => {
  for (const text of HARMLESS) {
    assert.equal((await h.input(text)).text, text)
    assert.equal((await h.output([...text])).text, text)
  }
})
