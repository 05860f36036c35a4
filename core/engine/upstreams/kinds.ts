/** What differs between the kinds of providers, besides the API shapes that they serve. */
import type { UpstreamConfig } from '../config/types.ts'

interface Kind {
  /** The header that carries the upstream's key. */
  keyHeader(key: string): Readonly<Record<string, string>>
  /** Headers of every request unless the config or the client gives another value. */
  readonly headers: Readonly<Record<string, string>>
  /** Where it lists its models, below `url`. */
  readonly models: string
}

const KINDS: Readonly<Record<UpstreamConfig['kind'], Kind>> = {
  openai: {
    keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
    headers: {},
    models: '/models',
  },
  anthropic: {
    keyHeader: (key) => ({ 'x-api-key': key }),
    headers: { 'anthropic-version': '2023-06-01' },
    // Its default is the first 20 models.
    models: '/models?limit=1000',
  },
  demo: {
    keyHeader: () => ({}),
    headers: {},
    models: '/models',
  },
}

export const kindOf = ({ kind }: UpstreamConfig): Kind => KINDS[kind]
