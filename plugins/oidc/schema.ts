import { LEVELS } from 'governed-gateway'
import { TEAM_PATTERN } from 'governed-gateway/kit'

/** Only signatures that the issuer alone can make. With HS256 the public key of an issuer would sign. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const

const claim = { type: 'string', minLength: 1, maxLength: 128, pattern: '^[^\\s]+$' } as const

const issuer = {
  type: 'object',
  additionalProperties: false,
  required: ['issuer', 'audience'],
  properties: {
    issuer: {
      type: 'string',
      format: 'uri',
      maxLength: 512,
      description: 'The `iss` of its tokens, exactly, such as https://login.example.com/realms/main.',
    },
    audience: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', minLength: 1, maxLength: 512 },
      description: 'Accepted values of `aud`: the name of this gateway at the issuer.',
    },
    jwks_url: {
      type: 'string',
      format: 'uri',
      maxLength: 2048,
      description: 'Where its public keys are. Default: as its /.well-known/openid-configuration says.',
    },
    algorithms: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', enum: ALGORITHMS },
      default: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      description: 'Accepted signatures; all are asymmetric. Default RS256, PS256, ES256, EdDSA.',
    },
    id_prefix: {
      type: 'string',
      pattern: '^[a-z][a-z0-9-]{0,15}$',
      default: 'oidc',
      description:
        'Callers are named by this, a colon and the claim of `id_claim`. Each issuer needs its own. Default oidc.',
    },
    id_claim: {
      ...claim,
      default: 'sub',
      description: 'Claim that names the caller; an unusual value is hashed. Default sub.',
    },
    team_claim: {
      ...claim,
      description:
        'Claim with the team; dots lead into objects. A list of several needs `teams`. A token without the claim has no team, and limits of teams do not bind it, unless `teams` is set. Default none.',
    },
    teams: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['team'],
        properties: {
          value: {
            type: 'string',
            minLength: 1,
            maxLength: 256,
            description: 'The claim, or one of its values, exactly. Default: any, also none.',
          },
          team: { type: 'string', pattern: TEAM_PATTERN, description: 'Name of the team in limits and usage.' },
        },
      },
      description:
        'Teams by values of `team_claim`; the first entry that fits counts. Tokens that fit none are refused. Default: the claim is the team.',
    },
    models_claim: {
      ...claim,
      description:
        'Claim with the allowed models, as a list of globs or separated by blanks. Without the claim, no model is allowed. Default: `models`.',
    },
    models: {
      type: 'array',
      items: { type: 'string', format: 'glob' },
      default: ['*'],
      description: 'Globs of models for callers of this issuer, unless `models_claim` is set. Default all.',
    },
    label_claim: {
      ...claim,
      description:
        'Claim with the highest label of a request. Without the claim it is PUBLIC. Default: `max_classification`.',
    },
    max_classification: {
      type: 'string',
      enum: LEVELS,
      description: 'Highest label of a request, unless `label_claim` is set. Default: no limit.',
    },
    admin: {
      type: 'object',
      additionalProperties: false,
      required: ['claim', 'value'],
      properties: {
        claim: { ...claim, description: 'Claim that tells admins; dots lead into objects.' },
        value: {
          type: 'string',
          minLength: 1,
          maxLength: 256,
          description:
            'Its value, or one of a list. Only a claim named `scope` or `scp` may have several separated by blanks.',
        },
      },
      description: 'Which callers may use settings and admin routes. Default none.',
    },
    clock_skew_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: 300,
      default: 30,
      description: 'Tolerance for clocks that differ; seconds, 0 to 300. Default 30.',
    },
    keys_refresh_seconds: {
      type: 'integer',
      minimum: 10,
      maximum: 86_400,
      default: 600,
      description:
        'Interval for reading the public keys again; seconds, 10 to 86400. A token with an unknown key reads them at once. Default 600.',
    },
  },
} as const

export const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['issuers'],
  properties: {
    issuers: {
      type: 'array',
      minItems: 1,
      maxItems: 16,
      items: issuer,
      description: 'Identity providers whose tokens are accepted.',
    },
  },
} as const
