import { DIALECTS } from '../dialects/index.ts'
import { CORE_PATHS } from '../util/core-paths.ts'

/** Paths of the gateway. A plugin may serve neither these nor what lies below them. */
export const OWN_PATHS: readonly string[] = [...Object.values(CORE_PATHS), ...DIALECTS.map(({ path }) => path)]

export const isCorePath = (path: string): boolean => OWN_PATHS.some((own) => path === own || path.startsWith(`${own}/`))
