import { DIALECTS } from '../dialects/index.ts'
import { CORE_PATHS } from '../util/core-paths.ts'

/** Paths of the gateway. Plugins may not serve them or paths below them. */
export const OWN_PATHS: readonly string[] = [...Object.values(CORE_PATHS), ...DIALECTS.map(({ path }) => path)]

export const isCorePath = (path: string): boolean => OWN_PATHS.some((own) => path === own || path.startsWith(`${own}/`))
