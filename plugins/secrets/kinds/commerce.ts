import type { Kind } from './types.ts'

/** Payment and shops. Excludes publishable keys (`pk_…`), which are public. */
export const COMMERCE: readonly Kind[] = [
  // Clerk, Paystack and WorkOS use the same format.
  {
    type: 'stripe_secret_key',
    patterns: [
      'sk_live_[A-Za-z0-9]{10,255}',
      'sk_test_[A-Za-z0-9]{10,255}',
      'rk_live_[A-Za-z0-9]{10,255}',
      'rk_test_[A-Za-z0-9]{10,255}',
      'sk_prod_[A-Za-z0-9]{10,255}',
      'rk_prod_[A-Za-z0-9]{10,255}',
      'sk_org_[A-Za-z0-9_]{20,255}',
    ],
  },
  { type: 'stripe_webhook_secret', patterns: ['whsec_[A-Za-z0-9+/=]{24,}'] },
  { type: 'square_access_token', patterns: ['EAAA[\\w+=-]{22,64}', 'sq0atp-[\\w-]{22,60}'], entropy: 3.6 },
  { type: 'square_oauth_secret', patterns: ['sq0csp-[\\w-]{40,60}'] },
  {
    type: 'shopify_token',
    patterns: [
      'shpat_[0-9A-Za-z]{32,64}',
      'shpca_[0-9A-Za-z]{32,64}',
      'shppa_[0-9A-Za-z]{32,64}',
      'shpss_[0-9A-Za-z]{32,64}',
      'shptka_[0-9A-Za-z]{32,64}',
      'shpua_[0-9A-Za-z]{32,64}',
      'prtapi_[0-9a-f]{32}',
    ],
  },
  {
    type: 'braintree_access_token',
    patterns: ['access_token$production$[0-9a-z]{16}$[0-9a-z]{32}', 'access_token$sandbox$[0-9a-z]{16}$[0-9a-z]{32}'],
  },
  { type: 'paypal_access_token', patterns: ['A21AA[\\w-]{60,}'], entropy: 4 },
  { type: 'adyen_api_key', patterns: ['AQE[a-z][A-Za-z0-9+/=-]{60,}'], entropy: 4 },
  { type: 'razorpay_key', patterns: ['rzp_live_[A-Za-z0-9]{14,24}', 'rzp_test_[A-Za-z0-9]{14,24}'] },
  {
    type: 'flutterwave_secret_key',
    patterns: ['FLWSECK-[0-9a-zA-Z]{32}-X', 'FLWSECK_TEST-[0-9a-zA-Z]{32}-X', 'FLWSECK_TEST-[0-9a-zA-Z]{12}'],
  },
  {
    type: 'plaid_access_token',
    patterns: ['sandbox', 'development', 'production'].map(
      (stage) => `access-${stage}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`,
    ),
  },
  {
    type: 'onfido_api_token',
    patterns: ['api_live\\.', 'api_live_ca\\.', 'api_live_us\\.', 'api_sandbox\\.', 'api_sandbox_us\\.'].map(
      (head) => `${head}[\\w-]{11}\\.[\\w-]{32}`,
    ),
  },
  { type: 'gocardless_token', patterns: ['live_[\\w=-]{40}', 'sandbox_[\\w=-]{40}'], entropy: 3.8 },
  { type: 'lob_api_key', patterns: ['live_[0-9a-f]{35}', 'test_[0-9a-f]{35}'] },
  { type: 'paddle_api_key', patterns: ['pdl_live_apikey_[A-Za-z0-9_]{30,}', 'pdl_sdbx_apikey_[A-Za-z0-9_]{30,}'] },
  { type: 'easypost_api_key', patterns: ['EZAK[A-Za-z0-9]{54}', 'EZTK[A-Za-z0-9]{54}'] },
  { type: 'shippo_token', patterns: ['shippo_live_[0-9A-Fa-f]{40}', 'shippo_test_[0-9A-Fa-f]{40}'] },
  { type: 'mollie_api_key', patterns: ['live_[A-Za-z0-9]{30}', 'test_[A-Za-z0-9]{30}'], entropy: 3.8 },
  { type: 'klarna_api_key', patterns: ['klarna_live_api_[\\w+/=-]{32,}', 'klarna_test_api_[\\w+/=-]{32,}'] },
  { type: 'xendit_secret_key', patterns: ['xnd_production_[A-Za-z0-9]{40,}', 'xnd_development_[A-Za-z0-9]{40,}'] },
  { type: 'midtrans_server_key', patterns: ['SB-Mid-server-[\\w-]{16,}', 'Mid-server-[\\w-]{16,}'] },
  { type: 'omise_secret_key', patterns: ['skey_[a-z0-9]{19,24}', 'skey_test_[a-z0-9]{19,24}'], entropy: 3.2 },
  {
    type: 'polar_token',
    patterns: ['polar_oat_', 'polar_pat_', 'polar_at_', 'polar_rt_', 'polar_cs_'].map((head) => `${head}[\\w-]{20,}`),
    entropy: 3.6,
  },
  {
    type: 'cashfree_secret_key',
    patterns: ['prod', 'test'].map((stage) => `cfsk_ma_${stage}_[0-9a-f]{32}_[0-9a-f]{8}`),
  },
  {
    type: 'mercado_pago_token',
    patterns: ['APP_USR', 'TEST'].map((head) => `${head}-[0-9]{12,18}-[0-9]{6}-[0-9a-f]{32}-[0-9]{6,12}`),
  },
  { type: 'asaas_api_key', patterns: ['$aact_[A-Za-z0-9+/=:_-]{40,}'] },
  { type: 'chapa_secret_key', patterns: ['CHASECK-[A-Za-z0-9]{32}', 'CHASECK_TEST-[A-Za-z0-9]{32}'] },
  { type: 'brex_token', patterns: ['bxt_[A-Za-z0-9]{40,}'], entropy: 3.6 },
  { type: 'amazon_client_secret', patterns: ['amzn1\\.oa2-cs\\.v1\\.[0-9a-f]{64}'] },
  { type: 'amazon_login_token', patterns: ['Atzr|[\\w+/=-]{100,}', 'Atza|[\\w+/=-]{100,}'] },
  { type: 'ebay_token', patterns: ['v^1\\.1#i^1#[\\w^#+/=-]{100,}'] },
  { type: 'mercury_token', patterns: ['mercury_production_[\\w-]{40,}'] },
  { type: 'proof_api_key', patterns: ['prf_[\\w-]{20,}'], entropy: 3.8, bothCases: true },
  { type: 'duffel_token', patterns: ['duffel_live_[\\w=-]{40,}', 'duffel_test_[\\w=-]{40,}'] },
]
