import { definePlugin, GatewayError, type Json, type RouteRequest, Stage } from 'governed-gateway'
import { pageRoutes } from './files.ts'
import { LiveDecisions } from './live.ts'
import { isForwardedFromHttps, Sessions } from './sessions.ts'
import { Steps } from './steps.ts'

/** A web page for operators. */
export default definePlugin({
  name: 'console',
  description: 'A web page for admins: live decisions, usage, audit, budgets, keys, settings, playground',
  governs: 'usage',
  onError: 'allow',
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      session_hours: {
        type: 'integer',
        description: 'How long a session lasts; hours, 1 to 168. Default 8.',
        minimum: 1,
        maximum: 168,
        default: 8,
      },
      secure_cookie: {
        type: 'string',
        enum: ['auto', 'always'],
        description:
          'Whether browsers send the cookie only over HTTPS: always, or auto: if the gateway itself has TLS, or the proxy says X-Forwarded-Proto: https. Default auto.',
        default: 'auto',
      },
    },
  },
  create({ session_hours: hours, secure_cookie: secure }, services) {
    const sessions = new Sessions(services, hours, secure === 'always')
    const steps = new Steps(services)
    const live = new LiveDecisions(services, () => steps.publish())
    const isSecure = ({ headers, encrypted }: RouteRequest): boolean =>
      secure === 'always' || encrypted || isForwardedFromHttps(headers)
    return {
      principals: { credentialOf: (request) => sessions.credentialOf(request) },
      apply(hooks) {
        hooks.onEvent.tap('console', (event) => live.note(event))
        hooks.preRequest.tap('console', (x) => steps.begin(x, live.watched))
        hooks.postResponse.tap({ name: 'console', stage: Stage.Final }, (x) => steps.end(x))
      },
      onTap: (x, run) => steps.onTap(x, run),
      onAttempt: (x, attempt) => steps.onAttempt(x, attempt),
      routes: [
        ...pageRoutes(),
        {
          method: 'POST',
          path: '/console/session',
          auth: 'admin',
          body: { type: 'object', additionalProperties: false, properties: {} },
          handle: async (request) => {
            const [, credential] = /^bearer\s+(\S+)$/i.exec(String(request.headers.authorization ?? '')) ?? []
            // A session does not open another one.
            if (credential === undefined)
              throw new GatewayError('GW_INVALID_PARAMETER', 'Send the key as a bearer token.')
            const cookie = await sessions.open(credential, isSecure(request))
            return {
              headers: { 'set-cookie': cookie, 'cache-control': 'no-store' },
              body: { key_id: request.caller.keyId },
            }
          },
        },
        {
          method: 'DELETE',
          path: '/console/session',
          auth: 'admin',
          handle: async (request) => ({
            headers: { 'set-cookie': await sessions.close(request.headers, isSecure(request)) },
            body: { signed_out: true },
          }),
        },
        {
          method: 'GET',
          path: '/console/live',
          auth: 'admin',
          handle: async ({ query }) => ({ body: { ...(await live.list(query.get('since') ?? undefined)) } as Json }),
        },
        {
          method: 'GET',
          path: '/console/steps',
          auth: 'admin',
          handle: async () => ({ body: { steps: await steps.summary() } }),
        },
        {
          method: 'GET',
          path: '/console/steps/{id}',
          auth: 'admin',
          handle: async ({ params: { id = '' } }) => ({ body: { exchange: await steps.of(id) } }),
        },
        {
          method: 'GET',
          path: '/console/overview',
          auth: 'admin',
          handle: ({ caller }) => ({
            body: {
              ...{ key_id: caller.keyId, instance: services.instance, version: services.version },
              plugins: services.plugins as unknown as Json,
            },
          }),
        },
      ],
      start: () => live.start(),
      stop() {
        live.stop()
        steps.stop()
      },
    }
  },
})
