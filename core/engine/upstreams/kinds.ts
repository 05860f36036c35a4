/** What differs between the kinds of providers, besides the API shapes that they serve. */
import type { UpstreamConfig } from '../config/types.ts'
import { SHAPES } from '../dialects/names.ts'
import { DEMO_SHAPES } from './demo-answers.ts'

interface Kind {
  /** The header that carries the upstream's key. */
  keyHeader(key: string): Readonly<Record<string, string>>
  /** Headers of every request unless the config or the client gives another value. */
  readonly headers: Readonly<Record<string, string>>
  /** The shapes that it serves unless the config says otherwise. */
  readonly shapes: readonly string[]
  /** Where it lists its models, below `url`; undefined if it lists none. */
  readonly models: string | undefined
}

const KINDS: Readonly<Record<UpstreamConfig['kind'], Kind>> = {
  openai: {
    keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
    headers: {},
    shapes: SHAPES.filter((shape) => shape !== 'messages'),
    models: '/models',
  },
  anthropic: {
    keyHeader: (key) => ({ 'x-api-key': key }),
    headers: { 'anthropic-version': '2023-06-01' },
    shapes: ['messages'],
    // Its default is the first 20 models.
    models: '/models?limit=1000',
  },
  azure: {
    keyHeader: (key) => ({ 'api-key': key }),
    headers: {},
    shapes: SHAPES.filter((shape) => shape !== 'messages' && shape !== 'moderations'),
    // It lists what can be deployed, not what is.
    models: undefined,
  },
  demo: {
    keyHeader: () => ({}),
    headers: {},
    shapes: DEMO_SHAPES,
    models: undefined,
  },
}

export const kindOf = ({ kind }: Pick<UpstreamConfig, 'kind'>): Kind => KINDS[kind]

/** The shapes that an upstream serves. */
export const shapesOf = (
  config: Pick<UpstreamConfig, 'kind'> & Partial<Pick<UpstreamConfig, 'shapes'>>,
): readonly string[] => config.shapes ?? kindOf(config).shapes
