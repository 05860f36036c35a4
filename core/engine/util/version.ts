import { packageVersion } from './package.ts'

let version: string | undefined

/** Version of this package, read once. */
export function productVersion(): string {
  version ??= packageVersion()
  return version
}
