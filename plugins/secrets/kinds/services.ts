import { type Kind, UUID } from './types.ts'

const HEX_UUID = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}'

/** Smaller services of all families, and formats that several of them share. */
export const SERVICES: readonly Kind[] = [
  { type: 'aikido_token', patterns: ['AIK_CI_[A-Za-z0-9]{20,80}'], entropy: 3.4 },
  { type: 'akamai_credential', patterns: ['akab-[a-z0-9]{16}-[a-z0-9]{16}'], entropy: 3.4 },
  { type: 'adafruit_io_key', patterns: ['aio_[A-Za-z0-9]{28}'] },
  { type: 'appwrite_api_key', patterns: ['standard_[0-9a-f]{128,}'] },
  { type: 'aws_appsync_key', patterns: ['da2-[a-z0-9]{26}'], capitals: true },
  { type: 'azure_api_management_key', patterns: ['git&[0-9]{12}&[A-Za-z0-9/+]{85}[\\w/+]=='] },
  { type: 'bannerbear_key', patterns: ['bb_pr_[0-9a-f]{30}', 'bb_ma_[0-9a-f]{30}'] },
  { type: 'besttime_private_key', patterns: ['pri_[0-9a-f]{32}'] },
  { type: 'bitbucket_server_token', patterns: ['BBDC-[\\w+/@-]{40,50}'] },
  { type: 'bunq_or_column_key', patterns: ['live_[A-Za-z0-9]{27}', 'test_[A-Za-z0-9]{27}'], entropy: 3.8 },
  {
    type: 'checkout_secret_key',
    patterns: [`sk_${HEX_UUID}`, `sk_test_${HEX_UUID}`],
  },
  { type: 'close_api_key', patterns: ['api_[A-Za-z0-9.]{45}'], entropy: 3.6 },
  { type: 'coinbase_key_name', patterns: [`organizations/${UUID}/apiKeys/(${UUID}`] },
  { type: 'convertapi_secret', patterns: ['secret_[A-Za-z0-9]{16}'], entropy: 3.4 },
  {
    type: 'courier_or_checkio_key',
    patterns: ['pk_[a-z0-9]{45}', 'pk_prod_[A-Z0-9]{28}', 'pk_test_[A-Z0-9]{28}'],
    entropy: 3.6,
  },
  {
    type: 'convex_deploy_key',
    patterns: ['prod', 'dev'].map((head) => `${head}:[a-z]{2,16}-[a-z]{2,16}-[0-9]{1,4}|[A-Za-z0-9+/=]{60,}`),
  },
  { type: 'dfuse_key', patterns: ['web_[0-9a-z]{32}'], entropy: 3.4 },
  { type: 'django_secret_key', patterns: ['django-insecure-[a-z0-9!@#$%^&*(_=+)-]{50}'] },
  { type: 'ecostruxure_key', patterns: ['AK1[A-Za-z0-9/]{50,55}'], entropy: 4 },
  { type: 'endor_labs_key', patterns: ['endr+[A-Za-z0-9-]{16}'], entropy: 3 },
  { type: 'finage_key', patterns: ['API_KEY[A-Z0-9]{32}'], entropy: 3.6 },
  { type: 'fleetbase_key', patterns: ['flb_live_[A-Za-z0-9]{20,64}', 'flb_test_[A-Za-z0-9]{20,64}'] },
  { type: 'flexport_token', patterns: ['shltm_[\\w-]{40}'] },
  { type: 'fly_macaroon', patterns: ['FlyV1 (fm[0-9]{1,16}_[\\w+/=,-]{100,}'] },
  { type: 'fullstory_key', patterns: ['na1\\.[A-Za-z0-9+/]{100}', 'eu1\\.[A-Za-z0-9+/]{100}'] },
  {
    type: 'intra42_key',
    patterns: ['s-s4t2ud-[0-9a-f]{64}', 's-s4t2af-[0-9a-f]{64}', 'u-s4t2ud-[0-9a-f]{64}', 'u-s4t2af-[0-9a-f]{64}'],
  },
  { type: 'ionic_token', patterns: ['ion_[A-Za-z0-9]{42}'], entropy: 3.6 },
  { type: 'klaviyo_private_key', patterns: ['pk_[0-9a-f]{34}', 'pk_[A-Za-z0-9]{6}_[0-9a-f]{34}'] },
  { type: 'locationiq_token', patterns: ['pk\\.[A-Za-z0-9-]{32}'], entropy: 3.2 },
  { type: 'kolide_api_key', patterns: ['k2sk_v1_[A-Za-z0-9]{24}'], entropy: 3.4 },
  { type: 'mailsac_key', patterns: ['k_[A-Za-z0-9]{36,60}'], entropy: 3.8 },
  { type: 'mergify_application_key', patterns: ['mergify_application_key_[\\w-]{40,200}'] },
  { type: 'nightfall_key', patterns: ['NF-[A-Za-z0-9]{32}'], entropy: 3.6 },
  { type: 'oauth2_token', patterns: ['oauth2:([0-9a-f]{40}'] },
  { type: 'pagarme_key', patterns: ['ak_live_[A-Za-z0-9]{30}', 'ak_test_[A-Za-z0-9]{30}'] },
  { type: 'persona_key', patterns: ['persona_production_[\\w-]{20,}', 'persona_sandbox_[\\w-]{20,}'], entropy: 3.6 },
  { type: 'photoroom_key', patterns: ['sk_pr_[A-Za-z0-9]{1,64}_[0-9A-Fa-f]{40}'] },
  { type: 'paystack_secret_key', patterns: ['sk_[a-z]{1,12}_[A-Za-z0-9]{40}'], entropy: 3.4, bothCases: true },
  { type: 'pixie_key', patterns: ['px-api-', 'px-dep-'].map((head) => `${head}${UUID}`) },
  { type: 'portainer_token', patterns: ['ptr_[A-Za-z0-9+/=]{40,60}'], entropy: 3.8 },
  { type: 'jwt_base64', patterns: ['ZXlK[\\w+/=-]{60,}'], entropy: 4 },
  {
    type: 'pubnub_key',
    patterns: ['sub-c-', 'pub-c-'].map((head) => `${head}[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{12}`),
  },
  { type: 'pubnub_secret_key', patterns: ['sec-c-[A-Za-z0-9]{40,60}'] },
  { type: 'ramp_key', patterns: ['ramp_sec_[A-Za-z0-9]{48}', 'ramp_id_[A-Za-z0-9]{40}'] },
  { type: 'robinhood_key', patterns: [`rh-api-${HEX_UUID}`] },
  {
    type: 'recharge_token',
    patterns: ['sk_', 'sk_test_'].map((head) => `${head}[0-9]{1,3}x[0-9]{1,3}_[0-9A-Fa-f]{64}`),
  },
  { type: 'rootly_key', patterns: ['rootly_[0-9a-f]{64}'] },
  { type: 'salad_cloud_key', patterns: ['salad_cloud_[A-Za-z0-9]{1,7}_[A-Za-z0-9]{7,220}'] },
  { type: 'salesblink_key', patterns: ['key-[A-Za-z0-9]{64}'], entropy: 3.8 },
  { type: 'salesforce_consumer_key', patterns: ['3MVG9[\\w.+/=]{80,251}', '5AEP861[\\w.=]{80,}'] },
  { type: 'segment_token', patterns: ['sgp_[A-Za-z0-9]{64}'] },
  { type: 'smooch_token', patterns: ['act_[0-9a-z]{24}'], entropy: 3.4 },
  { type: 'sonarcloud_token', patterns: ['sqco_[A-Za-z0-9]{59}'] },
  { type: 'sourcegraph_cody_token', patterns: ['slk_[0-9a-f]{64}'] },
  { type: 'square_application_secret', patterns: ['sq0c[a-z]{2}-[\\w-]{40,50}', 'sq0i[a-z]{2}-[\\w-]{22,43}'] },
  { type: 'stackhawk_key', patterns: ['hawk\\.[\\w-]{20}\\.[\\w-]{20}'] },
  {
    type: 'stripe_client_secret',
    patterns: ['pi_[A-Za-z0-9]{24}_secret_[A-Za-z0-9]{25}', 'seti_[A-Za-z0-9]{24}_secret_[A-Za-z0-9]{25,34}'],
  },
  // The first part names the token.
  { type: 'tableau_token', patterns: ['==:[A-Za-z0-9]{32}'], inWord: true, entropy: 3.6 },
  { type: 'teamwork_token', patterns: ['tkn\\.v1_[A-Za-z0-9+/=]{60,90}'] },
  { type: 'telnyx_api_key', patterns: ['KEY[A-Za-z0-9_-]{55}'], entropy: 4 },
  { type: 'thingsboard_token', patterns: ['thingsboard\\.cloud/api/v1/([A-Za-z0-9]{20}'] },
  { type: 'tickettailor_key', patterns: ['sk_[0-9]{4}_[0-9]{6}_[0-9a-f]{32}'] },
  { type: 'tines_webhook', patterns: ['\\.tines\\.com/webhook/([a-z0-9/]{40,80}'], inWord: true },
  { type: 'trufflehog_key', patterns: ['thog-key-[0-9a-f]{16}', 'thog-secret-[0-9a-f]{32}'] },
  { type: 'ubidots_token', patterns: ['BBFF-[A-Za-z0-9]{30}'] },
  {
    type: 'voiceflow_key',
    patterns: ['VF\\.DM\\.', 'VF\\.WS\\.', 'VF\\.'].map((head) => `${head}[0-9A-Fa-f]{24}\\.[A-Za-z0-9]{16}`),
  },
  { type: 'zuplo_api_key', patterns: ['zpka_[0-9a-z]{32}_[0-9a-f]{8}'] },
  { type: 'zoho_token', patterns: ['1000\\.[0-9a-f]{32}\\.[0-9a-f]{32}'] },
  // The words that vendors put between their name and a random part.
  {
    type: 'prefixed_key',
    patterns: 'live prod production sandbox secret token pat access api key'
      .split(' ')
      .flatMap((word) => [word, word.toUpperCase()])
      .map((word) => `_${word}_([A-Za-z0-9]{24,}`),
    inWord: true,
    entropy: 3.6,
    opaque: true,
  },
  // The same words in front, and after the beginning that vendors share.
  {
    type: 'generic_key',
    patterns: [
      ...['key', 'secret', 'pat'].map((word) => `${word}_[A-Za-z0-9]{32,80}`),
      'sk_[a-z0-9]{2,12}_[A-Za-z0-9]{20,80}',
      'sk-[a-z0-9]{2,12}-[A-Za-z0-9]{24,80}',
    ],
    entropy: 3.6,
    bothCases: true,
    opaque: true,
  },
  // Baremetrics, IEX and others: only what no rule above took, and random beyond doubt.
  { type: 'secret_key', patterns: ['sk_[A-Za-z0-9]{18,64}', 'lk_[A-Za-z0-9]{18,25}'], entropy: 3.6, noHash: true },
]
