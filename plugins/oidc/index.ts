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

/** Two issuers with one name would let one speak for the callers of the other. */
const twins = (name: string, values: readonly string[]): OptionProblem[] =>
  values.flatMap((value, i) =>
    values.indexOf(value) === i ? [] : [{ option: `issuers[${i}].${name}`, message: 'is taken by an earlier issuer' }],
  )
