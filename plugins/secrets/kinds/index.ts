import { AI } from './ai.ts'
import { CLOUD } from './cloud.ts'
import { CODE } from './code.ts'
import { COMMERCE } from './commerce.ts'
import { INFRA } from './infra.ts'
import { MESSAGING } from './messaging.ts'
import { OBSERVABILITY } from './observability.ts'
import { PLATFORMS } from './platforms.ts'
import { SAAS } from './saas.ts'
import { SERVICES } from './services.ts'
import type { Kind } from './types.ts'

export type { Kind } from './types.ts'

/** All published formats, one file per family. */
export const KINDS: readonly Kind[] = [
  ...AI,
  ...CLOUD,
  ...CODE,
  ...MESSAGING,
  ...COMMERCE,
  ...INFRA,
  ...OBSERVABILITY,
  ...SAAS,
  ...PLATFORMS,
  ...SERVICES,
]
