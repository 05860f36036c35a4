import type { Kind } from './types.ts'

/** Databases, secret stores, networks and infrastructure as code. */
export const INFRA: readonly Kind[] = [
  {
    type: 'databricks_token',
    patterns: ['dapi[0-9a-h]{32}-[0-9]', 'dapi[0-9a-h]{32}', 'dose[0-9a-h]{32}', 'dkea[0-9a-h]{32}'],
  },
  { type: 'supabase_token', patterns: ['sbp_[0-9a-z]{40}', 'sbp_v0_[0-9a-z]{40}', 'sb_secret_[\\w-]{24,}'] },
  {
    type: 'planetscale_token',
    patterns: ['pscale_tkn_[\\w=.-]{32,64}', 'pscale_pw_[\\w=.-]{32,64}', 'pscale_oauth_[\\w=.-]{32,64}'],
  },
  { type: 'neon_api_key', patterns: ['napi_[a-z0-9]{40,80}'] },
  { type: 'neon_password', patterns: ['npg_[A-Za-z0-9]{12,24}'], entropy: 3 },
  { type: 'mongodb_service_secret', patterns: ['mdb_sa_sk_[\\w-]{36,48}'] },
  {
    type: 'vault_token',
    patterns: ['s\\.[A-Za-z0-9]{24}', 'hvs\\.[\\w-]{24,}', 'hvb\\.[\\w-]{60,}', 'hvr\\.[\\w-]{24,}'],
  },
  // The part before `.atlasv1.` is the id of the token.
  { type: 'terraform_token', patterns: ['\\.atlasv1\\.[\\w=-]{60,70}'], inWord: true },
  {
    type: 'doppler_token',
    patterns: [
      'dp\\.pt\\.[A-Za-z0-9]{40,44}',
      'dp\\.ct\\.[A-Za-z0-9]{40,44}',
      'dp\\.sa\\.[A-Za-z0-9]{40,44}',
      'dp\\.scim\\.[A-Za-z0-9]{40,44}',
      'dp\\.audit\\.[A-Za-z0-9]{40,44}',
      'dp\\.st\\.[\\w-]{1,35}\\.[A-Za-z0-9]{40,44}',
      'dp\\.st\\.[A-Za-z0-9]{40,44}',
    ],
  },
  // As crypt, Django and LDAP write them: the salt and the hash.
  {
    type: 'password_hash',
    patterns: [
      '$2[abxy]$[0-9]{2}$[A-Za-z0-9./]{53}',
      '$1$[A-Za-z0-9./]{1,8}$[A-Za-z0-9./]{22}',
      '$apr1$[A-Za-z0-9./]{1,8}$[A-Za-z0-9./]{22}',
      ...['$5$', '$5$rounds=[0-9]{1,9}$'].map((head) => `${head}[A-Za-z0-9./]{1,16}$[A-Za-z0-9./]{43}`),
      ...['$6$', '$6$rounds=[0-9]{1,9}$'].map((head) => `${head}[A-Za-z0-9./]{1,16}$[A-Za-z0-9./]{86}`),
      ...['$8$', '$9$'].map((head) => `${head}[A-Za-z0-9./]{8,16}$[A-Za-z0-9./]{43}`),
      '$y$[A-Za-z0-9./]{1,8}$[A-Za-z0-9./]{8,86}$[A-Za-z0-9./]{43}',
      ...['$argon2id$v', '$argon2i$v', '$argon2d$v'].map(
        (head) => `${head}=[0-9]{2}$[mtp=,0-9]{11,30}$[A-Za-z0-9+/]{11,64}$[A-Za-z0-9+/]{16,88}`,
      ),
      'pbkdf2_sha256$[0-9]{4,8}$[A-Za-z0-9]{8,32}$[A-Za-z0-9+/]{43}=',
      // WordPress and phpBB, Drupal, passlib, Werkzeug, PostgreSQL.
      ...['$P$', '$H$'].map((head) => `${head}[A-Za-z0-9./]{31}`),
      '$S$[A-Za-z0-9./]{52}',
      ...['$pbkdf2-sha256$', '$pbkdf2-sha512$', '$pbkdf2$'].map(
        (head) => `${head}[0-9]{1,8}$[A-Za-z0-9./]{8,64}$[A-Za-z0-9./]{27,90}`,
      ),
      ...['pbkdf2:sha256:', 'pbkdf2:sha512:'].map((head) => `${head}[0-9]{3,8}$[A-Za-z0-9]{8,32}$[0-9a-f]{64,128}`),
      'scrypt:32768:8:1$[A-Za-z0-9]{8,32}$[0-9a-f]{128}',
      '$scrypt$ln=[0-9]{1,2},r=[0-9]{1,2},p=[0-9]{1,2}$[A-Za-z0-9+/]{11,64}$[A-Za-z0-9+/]{32,88}',
      'SCRAM-SHA-256$[0-9]{1,8}:[A-Za-z0-9+/=]{16,48}$[A-Za-z0-9+/=]{44}:[A-Za-z0-9+/=]{44}',
      '\\{SMD5\\}[A-Za-z0-9+/=]{28,48}',
      '\\{SSHA\\}[A-Za-z0-9+/=]{32,64}',
      '\\{SSHA256\\}[A-Za-z0-9+/=]{48,88}',
      '\\{SSHA384\\}[A-Za-z0-9+/=]{68,108}',
      '\\{SSHA512\\}[A-Za-z0-9+/=]{92,128}',
    ],
  },
  {
    type: 'kerberos_ticket_hash',
    patterns: ['$krb5asrep$', '$krb5tgs$', '$krb5pa$'].map((head) => `${head}[0-9]{2}$[\\w.@$*:/-]{60,}`),
  },
  // A key in PEM that was encoded once more, also where it cannot be decoded. The class ends what a stream looks for.
  {
    type: 'private_key_base64',
    patterns: [
      'BSU0EgUFJJVkFURSBLRVkt',
      'BEU0EgUFJJVkFURSBLRVkt',
      'BQUklWQVRFIEtFWS0t',
      'BFQyBQUklWQVRFIEtFWS0t',
      'BPUEVOU1NIIFBSSVZBVEUgS0VZ',
      'BFTkNSWVBURUQgUFJJVkFURSBLRVkt',
    ].map((rest) => `LS0tLS1CRUdJT[ij]${rest}[A-Za-z0-9+/=]{40,}`),
  },
  // The private members of a JSON Web Key (RFC 7518 §6), and the key of a symmetric one.
  {
    type: 'jwk_private_key',
    patterns: ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].map((name) => `"${name}":[ ]{0,1}"([\\w-]{42,}`),
    entropy: 4.2,
  },
  // After the hash that Windows writes for no LM hash; and a reply to a challenge, after its domain.
  {
    type: 'ntlm_hash',
    patterns: [
      ...['aad3b435b51404eeaad3b435b51404ee:', 'AAD3B435B51404EEAAD3B435B51404EE:'].map(
        (head) => `${head}([0-9A-Fa-f]{32}`,
      ),
      '::[\\w.-]{1,15}:([0-9A-Fa-f]{16}:[0-9A-Fa-f]{32}:[0-9A-Fa-f]{20,}',
    ],
    inWord: true,
  },
  { type: 'minisign_secret_key', patterns: ['RWRTY0Iy[A-Za-z0-9+/=]{100,}'] },
  { type: 'putty_private_key', patterns: ['Private-Lines: [0-9]{1,3}[\r\n]{1,2}([A-Za-z0-9+/=\r\n]{40,}'] },
  { type: 'pulumi_token', patterns: ['pul-[0-9a-z]{40}'] },
  { type: 'onepassword_token', patterns: ['ops_eyJ[\\w+/=-]{80,}'] },
  {
    type: 'onepassword_secret_key',
    patterns: [
      'A3-[A-Z0-9]{6}-[A-Z0-9]{6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}',
      'A3-[A-Z0-9]{6}-[A-Z0-9]{11}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}',
    ],
  },
  { type: 'age_secret_key', patterns: ['AGE-SECRET-KEY-1[A-Z0-9]{58}', 'AGE-PLUGIN-[A-Z0-9-]{20,}'] },
  {
    type: 'tailscale_key',
    patterns: [
      'tskey-auth-[\\w-]{20,}',
      'tskey-api-[\\w-]{20,}',
      'tskey-client-[\\w-]{20,}',
      'tskey-scim-[\\w-]{20,}',
      'tskey-webhook-[\\w-]{20,}',
      'tskey-[a-z]{1,16}-[A-Za-z0-9]{6,}-[A-Za-z0-9]{6,}',
    ],
  },
  { type: 'confluent_cloud_key', patterns: ['cflt[A-Za-z0-9+/]{60}'], entropy: 4 },
  {
    type: 'dependency_track_key',
    patterns: ['odt_[A-Za-z0-9]{32,64}', 'odt_[A-Za-z0-9]{8}_[A-Za-z0-9]{32}'],
    entropy: 3.8,
  },
  { type: 'wundergraph_api_key', patterns: ['cosmo_[0-9a-f]{32}'] },
  { type: 'defined_networking_token', patterns: ['dnkey-[\\w=-]{26}-[\\w=-]{52}'] },
  { type: 'netbird_token', patterns: ['nbp_[A-Za-z0-9]{36}'], entropy: 3.8 },
  { type: 'clickhouse_cloud_key', patterns: ['4b1d[A-Za-z0-9]{38}'] },
  {
    type: 'ory_token',
    patterns: [
      'ory_pat_[A-Za-z0-9]{32}',
      'ory_at_[\\w.-]{40,}',
      'ory_st_[\\w-]{32,}',
      'ory_ac_[\\w.-]{40,}',
      'ory_rt_[\\w.-]{40,}',
    ],
  },
  {
    type: 'settlemint_token',
    patterns: ['sm_pat_[A-Za-z0-9]{16}', 'sm_aat_[A-Za-z0-9]{16}', 'sm_sat_[A-Za-z0-9]{16}'],
  },
  {
    type: 'authress_key',
    patterns: ['sc_', 'ext_', 'scauth_', 'authress_'].map(
      (head) => `${head}[A-Za-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[\\w+/=-]{30,120}`,
    ),
  },
]
