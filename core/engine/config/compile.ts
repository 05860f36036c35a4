import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Ajv, Options, ValidateFunction } from 'ajv'
import { globProblem } from '../util/glob.ts'
import { PACKAGE_ROOT } from '../util/package.ts'
import { RecentMap } from '../util/recent-map.ts'
import { re2Problem } from './options-messages.ts'

/** A document gets its defaults and errors that show the value; the payload of an event is only judged. */
export type Purpose = 'document' | 'event'

// Not optimized: most schemas check one document, and V8 would optimize the code of the others.
const OPTIONS: Readonly<Record<Purpose, Options>> = {
  document: {
    strict: true,
    allowUnionTypes: true,
    useDefaults: true,
    allErrors: true,
    verbose: true,
    code: { optimize: false },
  },
  event: { strict: true, allowUnionTypes: true, allErrors: true, validateFormats: false },
}

/** Formats of ours besides those of `ajv-formats`. */
const FORMATS = {
  re2: { type: 'string', validate: (text: string) => re2Problem(text) === undefined },
  glob: { type: 'string', validate: (text: string) => globProblem(text) === undefined },
} as const

// Compiling takes a third of a start, so `core/build.js` writes the validators of all schemas that come with the package
// as code, and Ajv loads only for others. Their names are hashes of what they were made from: they also serve the sources.
const require = createRequire(import.meta.url)
const BUILT = join(PACKAGE_ROOT, 'dist/validators.cjs')
const isBuilt = existsSync(BUILT)

/** By content: a reload, and each further gateway of the process, has equal schemas in other objects. */
const validators = new RecentMap<string, ValidateFunction>(1000)

/** The validator of a JSON Schema, draft-07. Throws Ajv's `Error` if it is none, or not a strict one. */
export function validatorOf(purpose: Purpose, schema: object): ValidateFunction {
  const name = nameOf(purpose, schema)
  let validate = validators.get(name)
  if (validate === undefined) {
    validate = (isBuilt ? built(name, schema) : undefined) ?? compile(purpose, schema)
    validators.set(name, validate)
  }
  return validate
}

/** Keeps the code of all validators that are compiled from now on, as functions by name. For the build. */
export function recordCode(): ReadonlyMap<string, string> {
  recorded ??= new Map()
  return recorded
}
let recorded: Map<string, string> | undefined

function compile(purpose: Purpose, schema: object): ValidateFunction {
  const { Ajv, _ } = require('ajv') as typeof import('ajv')
  draft07 ??= new Ajv()
  draft07.validateSchema(schema, true)
  const options: Options = { ...OPTIONS[purpose], meta: false, validateSchema: false }
  if (recorded !== undefined) options.code = { ...options.code, source: true, formats: _`require("formats")` }
  // One instance per schema: a shared one would never free the schemas of reloaded plugins.
  const ajv = new Ajv(options)
  if (purpose === 'document') {
    ;(require('ajv-formats') as typeof import('ajv-formats')).default(ajv)
    for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format)
  }
  const validate = ajv.compile(schema)
  if (recorded !== undefined) {
    const standalone = require('ajv/dist/standalone') as typeof import('ajv/dist/standalone/index.js')
    // The caller has the schema anyway: its text stays out of the code.
    const text = standalone.default(ajv, validate).replace(JSON.stringify(schema), () => 'schema')
    recorded.set(
      nameOf(purpose, schema),
      `(require, schema) => {\nconst module = {}\n${text}\nreturn module.exports\n}`,
    )
  }
  return validate
}

// Shared: it keeps no state, and compiling draft-07's own schema takes longer than compiling a plugin's.
let draft07: Ajv | undefined

const nameOf = (purpose: Purpose, schema: object): string =>
  createHash('sha256')
    .update(`${JSON.stringify(OPTIONS[purpose])}\n${JSON.stringify(schema)}`)
    .digest('hex')
    .slice(0, 40)

type Load = (require: (id: string) => unknown, schema: object) => ValidateFunction

function built(name: string, schema: object): ValidateFunction | undefined {
  const load = (require(BUILT) as Readonly<Record<string, Load>>)[name]
  return load?.((id) => (id === 'formats' ? allFormats() : require(id)), schema)
}

let formats: object | undefined
function allFormats(): object {
  const { fullFormats } = require('ajv-formats/dist/formats.js') as typeof import('ajv-formats/dist/formats.js')
  formats ??= { ...fullFormats, ...FORMATS }
  return formats
}
