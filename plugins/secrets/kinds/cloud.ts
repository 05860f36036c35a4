import type { Kind } from './types.ts'

export const CLOUD: readonly Kind[] = [
  // Reports the example keys of the AWS documentation, too; exempt them with `allow`.
  {
    type: 'aws_access_key_id',
    capitals: true,
    patterns: ['AKIA[A-Z0-9]{16}', 'ASIA[A-Z0-9]{16}', 'ABIA[A-Z0-9]{16}', 'ACCA[A-Z0-9]{16}', 'A3T[A-Z0-9]{17}'],
  },
  {
    type: 'aws_session_token',
    patterns: ['IQoJb3JpZ2lu[\\w+/=-]{100,}', 'FwoGZXIvYXdz[\\w+/=-]{100,}', 'FQoGZXIvYXdz[\\w+/=-]{100,}'],
  },
  { type: 'aws_presigned_signature', patterns: ['X-Amz-Signature=([0-9a-f]{64}'] },
  { type: 'aws_bedrock_api_key', patterns: ['ABSK[A-Za-z0-9+/=]{100,}', 'bedrock-api-key-[\\w+/=-]{28,}'] },
  { type: 'aws_mws_token', patterns: ['amzn\\.mws\\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'] },
  { type: 'gcp_api_key', patterns: ['AIza[\\w-]{35}', 'QUl6YV[A-Za-z0-9+/]{46}'] },
  { type: 'google_oauth_client_secret', patterns: ['GOCSPX-[\\w-]{24,32}'] },
  { type: 'google_oauth_access_token', patterns: ['ya29\\.[\\w-]{20,}'] },
  { type: 'google_oauth_code', patterns: ['4/0A[\\w-]{40,}'] },
  { type: 'google_oauth_refresh_token', patterns: ['1//0[\\w-]{30,}'] },
  { type: 'firebase_server_key', patterns: ['AAAA[\\w-]{7}:[\\w-]{130,}'] },
  { type: 'azure_storage_key', patterns: ['AccountKey=([A-Za-z0-9+/=]{60,}'] },
  { type: 'azure_shared_access_key', patterns: ['SharedAccessKey=([A-Za-z0-9+/=]{30,}'] },
  {
    type: 'azure_sas_signature',
    patterns: ['&sig=([A-Za-z0-9%+/_=-]{40,}', '?sig=([A-Za-z0-9%+/_=-]{40,}'],
    inWord: true,
  },
  // The three characters before the marker belong to the secret. But waiting for them would delay every short
  // word.
  {
    type: 'azure_ad_client_secret',
    patterns: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => `${digit}Q~[\\w~.-]{31,34}`),
    inWord: true,
    entropy: 3.5,
  },
  {
    type: 'entra_refresh_token',
    patterns: ['0\\.A[\\w-]{40,}\\.Ag[\\w.-]{60,}', '1\\.A[\\w-]{40,}\\.Ag[\\w.-]{60,}'],
    entropy: 4,
  },
  { type: 'digitalocean_token', patterns: ['dop_v1_[0-9a-f]{64}', 'doo_v1_[0-9a-f]{64}', 'dor_v1_[0-9a-f]{64}'] },
  { type: 'heroku_api_key', patterns: ['HRKU-[\\w-]{36,}'] },
  {
    type: 'fly_access_token',
    patterns: ['fo1_[\\w-]{43}', 'fm1a_[\\w+/=-]{60,}', 'fm1r_[\\w+/=-]{60,}', 'fm2_[\\w+/=-]{60,}'],
  },
  {
    type: 'vercel_token',
    patterns: [
      'vercel_blob_rw_[A-Za-z0-9_]{30,}',
      'vcp_[\\w-]{24,}',
      'vci_[\\w-]{24,}',
      'vca_[\\w-]{24,}',
      'vcr_[\\w-]{24,}',
      'vck_[\\w-]{24,}',
    ],
  },
  { type: 'netlify_token', patterns: ['nfp_[A-Za-z0-9_]{36,}'] },
  { type: 'render_api_key', patterns: ['rnd_[A-Za-z0-9]{24,40}'] },
  { type: 'cloudflare_token', patterns: ['cfut_[\\w-]{40,}', 'cfat_[\\w-]{40,}', 'cfk_[\\w-]{40,}'] },
  { type: 'cloudflare_origin_ca_key', patterns: ['v1\\.0-[0-9A-Za-z-]{171}'] },
  { type: 'alibaba_access_key_id', patterns: ['LTAI[A-Za-z0-9]{12,24}'] },
  { type: 'alibaba_sts_key_id', patterns: ['STS\\.[A-Za-z0-9]{20,32}'], entropy: 3.4, opaque: true },
  { type: 'alibaba_security_token', patterns: ['CAIS[\\w+/=-]{80,}'], entropy: 4 },
  { type: 'tencent_secret_id', patterns: ['AKID[A-Za-z0-9]{32}'] },
  { type: 'yandex_api_key', patterns: ['AQVN[\\w-]{35,38}'] },
  { type: 'yandex_static_key', patterns: ['YC[\\w-]{38}'], entropy: 3.8 },
  { type: 'yandex_iam_token', patterns: ['t1\\.[\\w=-]{4,}\\.[\\w=-]{60,}'], entropy: 3.6 },
  // Keys in the addresses of blockchain nodes.
  {
    type: 'rpc_endpoint_key',
    patterns: [
      'infura\\.io/v3/([0-9a-f]{32}',
      'infura\\.io/ws/v3/([0-9a-f]{32}',
      'alchemy\\.com/v2/([\\w-]{32}',
      'alchemyapi\\.io/v2/([\\w-]{32}',
      'quiknode\\.pro/([0-9a-f]{40}',
    ],
    inWord: true,
    entropy: 3,
  },
  { type: 'backblaze_application_key', patterns: ['K00[0-9][A-Za-z0-9+/]{27}'], entropy: 4 },
  { type: 'cloudflare_tunnel_token', patterns: ['eyJhIjoi[A-Za-z0-9+/=]{100,}'] },
  { type: 'exoscale_api_key', patterns: ['EXO[A-Za-z0-9]{24,34}'], entropy: 3.2, opaque: true },
  { type: 'upcloud_token', patterns: ['ucat_[A-Za-z0-9]{26,34}'] },
  { type: 'scaleway_access_key', patterns: ['SCW[A-Z0-9]{17}'] },
  { type: 'scalingo_token', patterns: ['tk-us-[\\w-]{48}'] },
  { type: 'oracle_session_token', patterns: ['ST\\$eyJ[\\w.-]{40,}'] },
  { type: 'deno_deploy_token', patterns: ['ddp_[A-Za-z0-9]{36}', 'ddo_[A-Za-z0-9]{36}', 'ddw_[A-Za-z0-9]{36}'] },
]
