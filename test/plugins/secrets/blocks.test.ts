// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts under test
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { chunk, harness, splits } from '../../helpers/detector.ts'

const redacting = harness(plugin as never, { input: 'redact' })
const encoded = (value: string): string => Buffer.from(value).toString('base64')

const PLAIN = 'Tr0ub4dor&3x'
const FIRST = encoded('velvet-mongo-7781')
const SECOND = encoded('\u0001\u0002binary keytab\u0003')

const MANIFESTS: Readonly<Record<string, string>> = {
  data: `apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\ntype: Opaque\ndata:\n  mongo-root: ${FIRST}\n  # a note\n  username: YWRtaW4=\n\n  krb5: "${SECOND}"\n---\nkind: Service\n`,
  'data before the kind': `apiVersion: v1\ndata:\n  mongo-root: ${FIRST}\nkind: Secret\nmetadata:\n  name: shop\n`,
  'a list': `items:\n- apiVersion: v1\n  data:\n    mongo-root: ${FIRST}\n  kind: Secret\n`,
  stringData: `kind: Secret\nstringData:\n  username: admin\n  mongo: "${PLAIN}"\n  app.ini: |\n    level: info\n  redis: ${PLAIN}\nimmutable: true\n`,
  'line ends of Windows': `kind: Secret\r\ndata:\r\n  one: ${FIRST}\r\n  two: ${FIRST}\r\n`,
  json: `{"apiVersion": "v1", "kind": "Secret", "data": {"mongo": "${FIRST}", "user": "YWRtaW4=", "krb5": "${SECOND}"}}`,
  'json before the kind': `{\n  "apiVersion": "v1",\n  "data": {\n    "mongo": "${FIRST}"\n  },\n  "kind": "Secret"\n}`,
  'json in clear': `{"kind":"Secret","stringData":{"mongo":"${PLAIN}","level":"debug"}}`,
  terraform: `resource "kubernetes_secret" "app" {\n  metadata {\n    name = "app"\n  }\n  data = {\n    "mongo" = "${PLAIN}"\n    level = "debug"\n    redis = "${PLAIN}"\n  }\n}\n`,
  flow: `apiVersion: v1\nkind: Secret\ndata: {mongo-root: ${FIRST}, "user": YWRtaW4=, krb5: "${SECOND}"}\n`,
  'flow in clear': `kind: Secret\nstringData: {mongo: ${PLAIN}, level: debug,\n  redis: '${PLAIN}'}\nimmutable: true\n`,
  kustomize: `secretGenerator:\n- name: env\n  literals:\n  - MONGO=${PLAIN}\n  - REDIS=${PLAIN}\n`,
}

test('every entry of a secret manifest is found, whatever its name', async () => {
  for (const [name, text] of Object.entries(MANIFESTS)) {
    const want = [PLAIN, FIRST, SECOND].reduce((all, value) => all.replaceAll(value, '[SECRET]'), text)
    assert.notEqual(want, text)
    assert.equal((await redacting.input(text)).text, want, name)
    for (const pieces of splits(text)) assert.equal((await redacting.output(pieces)).text, want, name)
  }
})

test('entries beyond the left context of a stream are found', async () => {
  const keys = Array.from({ length: 40 }, (_, i) => `  entry${i}: ${encoded(`velvet-mongo-${i}${i}`)}\n`)
  const text = `kind: Secret\ndata:\n${keys.join('')}  keystore: ${encoded('x1'.repeat(2000))}\n  last: ${FIRST}\n`
  const { text: got, blocked } = await redacting.output(chunk(text, 7))
  assert.equal(blocked, undefined)
  assert.equal(got, (await redacting.input(text)).text)
  assert.equal(got.match(/\[SECRET\]/g)?.length, 42)
})

test('other manifests, references and templates stay', async () => {
  for (const text of [
    `kind: ConfigMap\nmetadata:\n  name: shop\ndata:\n  banner: ${FIRST}\n  level: debug\n`,
    `kind: Secret\nmetadata:\n  name: x\n---\nkind: ConfigMap\ndata:\n  level: debug4all\n`,
    'kind: Secret\ndata:\n  a: {{ .Values.a | b64enc }}\n  b: ${B}\n  c: <base64>\n  d: ""\n  e: CHANGE_ME\n',
    'kind: Secret\nstringData:\n  host: db1.shop.svc\n  enabled: "true"\n  a: $(openssl rand -hex 24)\n',
    `{"data": {"cursor": "${FIRST}", "total": 7}}`,
    `const page = { data: { cursor: "${FIRST}" } }`,
    `kind: ConfigMap\ndata: {banner: ${FIRST}}\n`,
    `{"apiVersion": "v1", "kind": "ConfigMap", "data": {"cursor": "${FIRST}"}}`,
    'configMapGenerator:\n- name: env\n  literals:\n  - LEVEL=debug4all\n  - REGION=eu-central-1\n',
    'resource "kubernetes_config_map" "app" {\n  data = {\n    a = "Tr0ub4dor3x"\n  }\n}\n',
    'env:\n  - name: MONGO\n    valueFrom:\n      secretKeyRef:\n        name: shop\n        key: mongo-root\n',
  ])
    assert.equal((await redacting.input(text)).text, text)
})
