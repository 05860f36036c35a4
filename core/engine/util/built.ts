/** What `core/script.js` gives to the code that it runs. */
export interface Built {
  /** Names of the bundled plugins. */
  readonly plugins: readonly string[]
  /** The exports of a source file, such as `core/kit/index`. */
  part(name: string): object
  /** The validators in `dist`, by name. */
  validators(): object
  /** Keeps compiled code for later starts; `stage` says how far this one came. */
  keepCode(stage: string): void
}

/** Undefined in the sources. `core/build.js` puts other code in place of this file. */
export const BUILT: Built | undefined = undefined
