// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts under test
/**
 * Credentials in the shapes their vendors publish, made up at run time from a seed, so that no key-shaped string stands in
 * the repository. The formats are written down here a second time, apart from the plugin's tables.
 */
import { LABELLED, STRUCTURED } from './labelled.ts'
import { NOTATIONS } from './notations.ts'
import { pick, type Random, random } from './random.ts'

export interface SecretCase {
  /** Vendor or notation. */
  readonly kind: string
  readonly family: 'prefix' | 'labelled' | 'notation' | 'structured'
  readonly text: string
  /** What must not be left in the text. */
  readonly value: string
}

/** `A` letters and digits, `a` lower and digits, `U` upper and digits, `h` hex, `H` upper hex, `d` digits, `w` base64url, `b` base64, `l` letters. */
const PREFIXED: Readonly<Record<string, string>> = {
  'aws access key': 'AKIA{U16}',
  'aws temporary key': 'ASIA{U16}',
  'aws bedrock': 'ABSK{b120}',
  'aws signature': 'https://b.s3.example.com/k?X-Amz-SignedHeaders=host&X-Amz-Signature={h64}',
  'aws mws': 'amzn.mws.{uuid}',
  'google api key': 'AIza{w35}',
  'google client secret': 'GOCSPX-{w28}',
  'google access token': 'ya29.{w120}',
  'azure ad client secret': '{A3}8Q~{w34}',
  'azure storage': 'AccountKey={b86}==',
  'digitalocean pat': 'dop_v1_{h64}',
  'digitalocean oauth': 'doo_v1_{h64}',
  'digitalocean refresh': 'dor_v1_{h64}',
  heroku: 'HRKU-AA{w58}',
  'fly fo1': 'fo1_{w43}',
  'fly fm2': 'fm2_{b180}',
  netlify: 'nfp_{A36}',
  'cloudflare user': 'cfut_{A40}{h8}',
  'cloudflare account': 'cfat_{A40}{h8}',
  'cloudflare origin ca': 'v1.0-{h24}-{h146}',
  alibaba: 'LTAI{A20}',
  tencent: 'AKID{A32}',
  'yandex api': 'AQVN{w36}',
  'github pat': 'ghp_{A36}',
  'github oauth': 'gho_{A36}',
  'github user': 'ghu_{A36}',
  'github server': 'ghs_{A36}',
  'github refresh': 'ghr_{A36}',
  'github fine-grained': 'github_pat_{A22}_{A59}',
  'gitlab pat': 'glpat-{w20}',
  'gitlab pat routable': 'glpat-{w27}.01.{a9}',
  'gitlab deploy': 'gldt-{w20}',
  'gitlab runner': 'glrt-{w20}',
  'gitlab trigger': 'glptt-{h40}',
  'gitlab job': 'glcbt-{A2}_{w20}',
  'bitbucket app': 'ATBB{A32}',
  npm: 'npm_{A36}',
  pypi: 'pypi-AgEIcHlwaS5vcmc{w120}',
  rubygems: 'rubygems_{h48}',
  'crates.io': 'cio{A32}',
  nuget: 'oy2{a43}',
  'docker hub': 'dckr_pat_{w27}',
  circleci: 'CCIPAT_{A22}_{h40}',
  jfrog: 'AKCp{A69}',
  sonar: 'sqp_{h40}',
  sourcegraph: 'sgp_{h16}_{h40}',
  openshift: 'sha256~{w43}',
  'slack bot': 'xoxb-{d12}-{d13}-{A24}',
  'slack user': 'xoxp-{d12}-{d12}-{d13}-{h32}',
  'slack app': 'xapp-1-A{U10}-{d13}-{h64}',
  'slack webhook': 'https://hooks.slack.com/services/T{U10}/B{U10}/{A24}',
  'discord bot': 'MTIzNDU2Nzg5MDEyMzQ1Njc4.{w6}.{w38}',
  'discord webhook': 'https://discord.com/api/webhooks/{d18}/{w68}',
  telegram: '{d10}:AA{w33}',
  'twilio key': 'SK{h32}',
  sendgrid: 'SG.{w22}.{w43}',
  mailgun: 'key-{h32}',
  mailchimp: '{h32}-us{d2}',
  brevo: 'xkeysib-{h64}-{A16}',
  resend: 're_{A8}_{A24}',
  facebook: 'EAAC{A140}',
  'openai legacy': 'sk-{A48}',
  'openai project': 'sk-proj-{w74}T3BlbkFJ{w74}',
  'openai service': 'sk-svcacct-{w74}T3BlbkFJ{w74}',
  'anthropic api': 'sk-ant-api03-{w93}AA',
  'anthropic admin': 'sk-ant-admin01-{w93}AA',
  huggingface: 'hf_{l34}',
  replicate: 'r8_{A37}',
  groq: 'gsk_{A52}',
  xai: 'xai-{A80}',
  perplexity: 'pplx-{A48}',
  openrouter: 'sk-or-v1-{h64}',
  nvidia: 'nvapi-{w64}',
  langsmith: 'lsv2_pt_{h32}_{h10}',
  pinecone: 'pcsk_{A6}_{A63}',
  deepseek: 'sk-{h32}',
  'stripe live': 'sk_live_{A24}',
  'stripe test': 'sk_test_{A99}',
  'stripe restricted': 'rk_live_{A24}',
  'stripe webhook': 'whsec_{A32}',
  'square token': 'EAAA{w60}',
  'square secret': 'sq0csp-{w43}',
  'shopify access': 'shpat_{h32}',
  'shopify custom': 'shpca_{h32}',
  'shopify private': 'shppa_{h32}',
  'shopify secret': 'shpss_{h32}',
  braintree: 'access_token$production${a16}${h32}',
  razorpay: 'rzp_live_{A14}',
  plaid: 'access-sandbox-{uuid}',
  flutterwave: 'FLWSECK-{h32}-X',
  easypost: 'EZAK{A54}',
  shippo: 'shippo_live_{h40}',
  databricks: 'dapi{h32}',
  'databricks suffixed': 'dapi{h32}-2',
  supabase: 'sbp_{h40}',
  'supabase secret': 'sb_secret_{w31}',
  'planetscale token': 'pscale_tkn_{w43}',
  'planetscale password': 'pscale_pw_{w43}',
  'vault service': 'hvs.{w95}',
  'vault batch': 'hvb.{w150}',
  terraform: '{A14}.atlasv1.{w67}',
  'doppler personal': 'dp.pt.{A43}',
  'doppler service': 'dp.st.prd.{A43}',
  pulumi: 'pul-{h40}',
  '1password': 'ops_eyJ{b260}',
  age: 'AGE-SECRET-KEY-1{U58}',
  tailscale: 'tskey-auth-{A16}-{A32}',
  'grafana service': 'glsa_{A32}_{h8}',
  'grafana cloud': 'glc_{b120}',
  'grafana legacy': 'eyJrIjoi{A80}',
  'new relic user': 'NRAK-{U27}',
  'new relic insert': 'NRII-{w32}',
  'sentry org': 'sntrys_eyJpYXQiO{b120}',
  'sentry user': 'sntryu_{h64}',
  dynatrace: 'dt0c01.{U24}.{U64}',
  honeycomb: 'hcaik_{a58}',
  posthog: 'phx_{A43}',
  launchdarkly: 'sdk-{uuid}',
  atlassian: 'ATATT3xFfGF0{w180}',
  linear: 'lin_api_{A40}',
  'notion new': 'ntn_{d11}{A35}',
  'notion old': 'secret_{A43}',
  postman: 'PMAK-{h24}-{h34}',
  figma: 'figd_{w40}',
  airtable: 'pat{A14}.{h64}',
  dropbox: 'sl.{w135}',
  asana: '1/{d16}:{h32}',
  clickup: 'pk_{d8}_{U32}',
  hubspot: 'pat-na1-{uuid}',
  typeform: 'tfp_{w59}',
  contentful: 'CFPAT-{w43}',
  adobe: 'p8e-{A32}',
  frameio: 'fio-u-{w64}',
  readme: 'rdme_{a70}',
  prefect: 'pnu_{A36}',
  duffel: 'duffel_live_{w43}',
  octopus: 'API-{U26}',
  harness: 'pat.{w22}.{A24}.{A20}',
  infracost: 'ico-{A32}',
  'new relic browser': 'NRJS-{h19}',
  scalingo: 'tk-us-{w48}',
  clojars: 'CLOJARS_{a60}',
  'linkedin secret': 'WPL_AP1.{A16}.{b8}',
  adafruit: 'aio_{A28}',
  appsync: 'da2-{a26}',
  'bitbucket server': 'BBDC-{w44}',
  checkout: 'sk_{uuid}',
  closecrm: 'api_{A22}.{A22}',
  fleetbase: 'flb_live_{A20}',
  fullstory: 'na1.{b100}',
  intra42: 's-s4t2ud-{h64}',
  klaviyo: 'pk_{h34}',
  pagarme: 'ak_live_{A30}',
  photoroom: 'sk_pr_{A12}_{h40}',
  portainer: 'ptr_{b43}=',
  'pubnub secret': 'sec-c-{A48}',
  ramp: 'ramp_sec_{A48}',
  robinhood: 'rh-api-{uuid}',
  rootly: 'rootly_{h64}',
  sonarcloud: 'sqco_{A59}',
  'sourcegraph cody': 'slk_{h64}',
  'stripe payment secret': 'pi_{A24}_secret_{A25}',
  teamwork: 'tkn.v1_{A71}=',
  'thingsboard webhook': 'https://thingsboard.cloud/api/v1/{A20}',
  'tines webhook': 'https://a.tines.com/webhook/{a32}/{a32}',
  ubidots: 'BBFF-{A30}',
  voiceflow: 'VF.DM.{h24}.{A16}',
  zoho: '1000.{h32}.{h32}',
  authress: 'ext_{a20}.{a5}.acc-{a16}.{w44}',
  deno: 'ddw_{A36}',
  'entra refresh': '1.A{w48}.Ag{w100}',
  'facebook app': '{d15}|{w27}',
  'jwt in base64': 'ZXlK{A90}',
  'mailgun secret': '{h32}-{h8}-{h8}',
  'new relic licence': 'eu01xx{h34}FFFFNRAL',
  'new relic licence without region': '{h32}FFFFNRAL',
  'new relic licence of Europe': 'eu01xx{h26}FFFFNRAL',
  'recharge, capitals': 'sk_test_2x1_{H64}',
  paystack: 'sk_demo_{A40}',
  'new relic mobile': 'AA{h40}-NRMA',
  okta: '00{w40}',
  recharge: 'sk_1x1_{h64}',
  'salesforce session': '00D{A12}!{A96}',
  'square short': 'EAAA{w30}',
  'tailscale other': 'tskey-domain-{A17}CNTRL-{A32}',
  'telegram url': 'https://api.telegram.org/bot{d10}:AA{w33}',
  'twilio mixed': 'SK{A32}',
  'vault legacy': 's.{A24}',
  'yandex static': 'YC{w38}',
  'password hash bcrypt': '$2b$12${A53}',
  'password hash md5': '$1${A8}${A22}',
  'password hash sha256': '$5$rounds=5000${A16}${A43}',
  'password hash sha512': '$6${A8}${A86}',
  'password hash cisco': '$8${A14}${A43}',
  'password hash argon2': '$argon2id$v=19$m=65536,t=3,p=4${b22}${b43}',
  'password hash django': 'pbkdf2_sha256$600000${A22}${b43}=',
  'kerberos ticket hash': '$krb5asrep$23$bob@example.com:{h32}${h128}',
  'private key in base64, cut': 'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt{b99}',
  'django insecure': 'django-insecure-{a50}',
  ionic: 'ion_{A42}',
  mailsac: 'k_{A40}',
  pixie: 'px-api-{uuid}',
  segment: 'sgp_{A64}',
  stackhawk: 'hawk.{A20}.{A20}',
  'facebook explorer': 'EAACEdEose0cBA{A32}',
  'facebook app, escaped': '{d15}%7C{A27}',
  'new relic licence without mark': '{h36}NRAL',
  'rpc endpoint webhook': 'https://mainnet.infura.io/v3/{h32}',
  'rpc endpoint two webhook': 'https://eth-mainnet.g.alchemy.com/v2/{A32}',
  'mattermost webhook': 'https://chat.example.com:8065/hooks/{a26}',
  'outlook webhook': 'https://outlook.office.com/webhook/{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}',
  'shopify, longer': 'shpat_{A38}',
  'authress, mixed': 'sc_{A24}.{a4}.acc-{a12}.{w60}',
  onfido: 'api_live.{w11}.{w32}',
  coze: 'pat_{A64}',
  friendli: 'flp_{A46}',
  llamacloud: 'llx-{w48}',
  coderabbit: 'cr-{h58}',
  retell: 'key_{h28}',
  scale: 'live_auth_{h32}',
  instagram: 'IGQVJ{w120}',
  'twitch stream': 'live_{d9}_{A30}',
  nylas: 'nyk_v0_{A64}',
  akamai: 'akab-{a16}-{a16}',
  kolide: 'k2sk_v1_{A24}',
  mergify: 'mergify_application_key_{A52}',
  confluent: 'cflt{b60}',
  'dependency track': 'odt_{A32}',
  wundergraph: 'cosmo_{h32}',
  aiven: 'AVNS_{w19}',
  anyscale: 'esecret_{a30}',
  baidu: 'bce-v3/ALTAK-{A21}/{h40}',
  bip32: 'xprv{A107}',
  brave: 'BSA{w28}',
  browserbase: 'bb_live_{w27}',
  cal: 'cal_live_{h32}',
  checkly: 'cu_{h32}',
  turnstile: '0x4AAAAA{w28}',
  cockroach: 'CCDB1_{A22}_{A40}',
  daytona: 'dtn_{h64}',
  deepsource: 'dsp_{h40}',
  elastic: 'essu_{b60}',
  firehydrant: 'fhb-{h32}',
  'gcs hmac': 'GOOG1E{U55}',
  gitbook: 'gb_api_{A40}',
  hcaptcha: 'ES_{h32}',
  helicone: 'sk-helicone-{a7}-{a7}-{a7}-{a7}',
  infisical: 'st.{h24}.{h32}.{h32}',
  mailersend: 'mlsn.{h64}',
  matrix: 'syt_{A8}_{l20}_{A6}',
  mem0: 'm0-{A40}',
  nostr: 'nsec1{a58}',
  ntfy: 'tk_{a29}',
  runpod: 'rpa_{U42}',
  'secret token': 'secret-token:{w40}',
  socket: 'sktsec_{w44}',
  statsig: 'secret-{A43}',
  stytch: 'secret-live-{w36}',
  'docker swarm': 'SWMTKN-1-{a50}-{a25}',
  traceloop: 'tl_{h64}',
  unkey: 'unkey_{A24}',
  volcengine: 'AKLT{A50}',
  woocommerce: 'ck_{h40}',
  xata: 'xau_{A38}',
}

const SENTENCES = [
  'Why does {v} not work?',
  'My key is {v}, can you check it?',
  '{v}',
  'Use `{v}` for the staging account.',
  'Here you go: {v}.',
  'I pasted ({v}) by accident',
  'export TOKEN={v}',
  'API_KEY="{v}"',
  '{"key": "{v}"}',
  "client = Client('{v}')",
  'curl -H "X-Api-Key: {v}" https://api.example.com/v1/items',
  '- secret: {v}\n- region: eu',
  'The deployment failed with 401.\nKey: {v}\nPlease advise.',
  'https://api.example.com/v1?key={v}&page=2',
  'Schlüssel: {v}',
  'La clé est {v} merci',
  '<key>{v}</key>',
  'headers={"Authorization": "Bearer {v}"}',
  'line one\\n{v}\\nline two',
  'first,{v},third',
]

const ALPHABETS: Readonly<Record<string, string>> = {
  A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  a: 'abcdefghijklmnopqrstuvwxyz0123456789',
  U: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  h: '0123456789abcdef',
  H: '0123456789ABCDEF',
  d: '0123456789',
  l: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
}

function part(next: Random, shape: string): string {
  if (shape === 'uuid') return ['h8', 'h4', 'h4', 'h4', 'h12'].map((piece) => part(next, piece)).join('-')
  if (shape === 'pw') return password(next)
  if (shape === 'basic') return Buffer.from(`bob:${password(next)}`).toString('base64')
  if (shape === 'jwtbody')
    return Buffer.from(JSON.stringify({ sub: part(next, 'd10'), name: part(next, 'l8'), iat: 1700000000 })).toString(
      'base64url',
    )
  const length = Number(shape.slice(1))
  const kind = shape[0] as string
  // Neither end is a symbol: generators of vendors avoid it, and a sentence would hide where the key ends.
  if (kind === 'w' || kind === 'b') {
    const inner = `${ALPHABETS.A}${kind === 'w' ? '_-' : '+/'}`
    return Array.from({ length }, (_, i) =>
      pick(next, i === 0 || i === length - 1 ? (ALPHABETS.A as string) : inner),
    ).join('')
  }
  return Array.from({ length }, () => pick(next, ALPHABETS[kind] as string)).join('')
}

const WORDS = ['Tiger', 'summer', 'Blue', 'dragon', 'Winter', 'monkey', 'Sunset', 'coffee', 'River', 'stone']
function password(next: Random): string {
  const style = Math.floor(next() * 4)
  if (style === 0) return `${pick(next, WORDS)}${part(next, 'd4')}${pick(next, '!#$*+')}`
  if (style === 1) return `${part(next, 'A5')}${pick(next, '!#$*+')}${part(next, 'd2')}${part(next, 'A4')}`
  if (style === 2) return `${pick(next, WORDS).toLowerCase()}${part(next, 'd3')}`
  return `${part(next, 'l6')}${part(next, 'd3')}${part(next, 'A3')}`
}

const expand = (next: Random, template: string): string =>
  template.replace(/\{([A-Za-z]+\d*)\}/g, (_, shape: string) => part(next, shape))

/** `count` texts for each format and notation. */
export function secretCases(count: number, seed = 1): SecretCase[] {
  const next = random(seed)
  const cases: SecretCase[] = []
  for (const [kind, template] of Object.entries(PREFIXED)) {
    for (let i = 0; i < count; i++) {
      const value = expand(next, template)
      cases.push({
        kind,
        family: 'prefix',
        value: coreOf(kind, value),
        text: pick(next, SENTENCES).replaceAll('{v}', () => value),
      })
    }
  }
  for (const [kind, template, shapes] of LABELLED) {
    for (let i = 0; i < count; i++) {
      const value = part(next, pick(next, shapes))
      cases.push({ kind, family: 'labelled', value, text: template.replaceAll('{v}', () => value) })
    }
  }
  for (const [kind, template, shape] of STRUCTURED) {
    for (let i = 0; i < count; i++) {
      const made = new Map<string, string>()
      const fill = (text: string): string =>
        text.replace(/\{([A-Za-z]+\d*)\}/g, (_, name: string) => {
          const value = made.get(name) ?? part(next, name)
          made.set(name, value)
          return value
        })
      cases.push({ kind, family: 'structured', text: fill(template), value: fill(shape) })
    }
  }
  for (const [kind, rows] of Object.entries(NOTATIONS)) {
    for (const [template, shape] of rows) {
      for (let i = 0; i < count; i++) {
        const value = part(next, shape)
        cases.push({ kind, family: 'notation', value, text: template.replaceAll('{v}', () => value) })
      }
    }
  }
  return cases
}

/** What has to go: context that is public by itself may stay. */
function coreOf(kind: string, value: string): string {
  if (kind === 'terraform') return value.slice(value.indexOf('.atlasv1.'))
  if (kind === 'azure ad client secret') return value.slice(3)
  if (kind === 'aws signature') return value.slice(value.lastIndexOf('=') + 1)
  if (kind === 'telegram url') return value.slice(value.indexOf('/bot') + 4)
  if (kind.endsWith('webhook')) return value.slice(value.lastIndexOf('/') + 1)
  if (kind === 'secret token') return value.slice('secret-token:'.length)
  if (kind === 'azure storage') return value.slice('AccountKey='.length)
  return value
}
