import { definePlugin, type OptionProblem } from 'governed-gateway'
import { schema } from './schema.ts'
import { Verifier } from './verifier.ts'

/** Accepts tokens of identity providers in the place of API keys. */
export default definePlugin({
  name: 'oidc',
  description: 'Accepts JSON Web Tokens of OpenID Connect providers in the place of API keys',
  governs: 'usage',
  schema,
  errors: {
    identity_unavailable: {
      status: 503,
      type: 'server_error',
      remedy: 'The keys of the identity provider cannot be read. Try again later.',
    },
  },
  check: ({ issuers }) => [
    ...issuers.flatMap(({ issuer, jwks_url }, i) => unencrypted(`issuers[${i}]`, { issuer, jwks_url })),
    ...issuers.flatMap(({ team_claim, teams }, i) =>
      teams !== undefined && team_claim === undefined
        ? [{ option: `issuers[${i}].teams`, message: 'needs team_claim' }]
        : [],
    ),
    ...twins(
      'issuer',
      issuers.map(({ issuer }) => issuer),
    ),
    ...twins(
      'id_prefix',
      issuers.map(({ id_prefix }) => id_prefix),
    ),
  ],
  create({ issuers }, services) {
    const verifier = new Verifier(issuers, services)
    return {
      principals: { identify: (credential) => verifier.identify(credential) },
      async start() {
        for (const [i, { issuer, jwks_url }] of issuers.entries()) {
          const field = jwks_url === undefined ? 'issuer' : 'jwks_url'
          const problem = await services.checkUrl(field, jwks_url ?? issuer)
          if (problem !== undefined) throw new Error(`options.issuers[${i}].${problem.field} ${problem.message}`)
        }
        verifier.start()
      },
      stop: () => verifier.stop(),
    }
  },
})

/** Over plain HTTP anybody on the way could give keys of their own. Names inside a private network may use it. */
function unencrypted(at: string, urls: { issuer: string; jwks_url: string | undefined }): OptionProblem[] {
  return Object.entries(urls).flatMap(([name, url]) => {
    if (url === undefined || !URL.canParse(url)) return []
    const { protocol, hostname } = new URL(url)
    if (protocol !== 'http:' || INSIDE.test(hostname)) return []
    return [{ option: `${at}.${name}`, message: 'must use https outside of a private network' }]
  })
}

/** Addresses, which the egress guard judges, and names that only resolve inside. */
const INSIDE = /^(?:\[.*\]|[\d.]+|[^.]+|.*\.(?:internal|intranet|local|lan|corp|svc))$/

/** Two issuers with one name would let one speak for the callers of the other. */
const twins = (name: string, values: readonly string[]): OptionProblem[] =>
  values.flatMap((value, i) =>
    values.indexOf(value) === i ? [] : [{ option: `issuers[${i}].${name}`, message: 'is taken by an earlier issuer' }],
  )
