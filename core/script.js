/**
 * Runs `dist/gateway.cjs`, core and plugins in one script, with code that V8 kept of an earlier start: also the functions
 * that were first called in it, which Node's compile cache leaves out. See docs/decisions/0131-one-script-with-its-code.md.
 */
import { isAscii } from 'node:buffer'
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
const GATEWAY = 'gateway.cjs'
const VALIDATORS = 'validators.cjs'
/** Of the file of code: changes with its form. */
const FORM = 1
const DRAFT_MS = 3_600_000
/** V8 copies code that does not begin at a multiple of this. */
const STEP = 8

/** What ran in this process; names of parts and of stages. */
const ran = new Set()
/** By file below `dist`; those that were compiled with the first flags. */
const scripts = new Map()
let cache
let modules
let validatorsByName

/** Whether nobody but this user, or root, may write to a file or folder that exists: what is in it will run. */
export function isOnlyOurs(path) {
  try {
    const { uid, mode } = lstatSync(path)
    // Windows has neither.
    return process.getuid === undefined || ([0, process.getuid()].includes(uid) && (mode & 0o022) === 0)
  } catch {
    return false
  }
}

/** Does nothing if it exists, or cannot be. */
export function makeFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {}
}

/** From now on, code is read from a folder and kept there, if it is only ours. To be called before `part`. */
export function useCodeIn(folder) {
  makeFolder(folder)
  if (!isOnlyOurs(folder)) return
  // Of V8: its version, its flags and what it uses of the processor.
  const tag = cachedDataVersionTag()
  const file = join(folder, `gateway-${crc32(`${tag} ${DIST}`).toString(16)}`)
  cache = { file, tag, ...readCode(file) }
}

/** The exports of a source file that `core/build.js` lists, such as `core/index`. */
export function part(name) {
  modules ??= run(GATEWAY)
  ran.add(name)
  return modules[name]()
}

/**
 * Keeps the code of all functions that ran, unless a process with the same parts did before. Does nothing while V8's flags are
 * not those at the beginning, with which alone V8 would take the code.
 *
 * @param stage how far this process came, such as `ready`
 */
export function keepCode(stage) {
  if (cache === undefined || cachedDataVersionTag() !== cache.tag) return
  ran.add(stage)
  const taken = Array.from(scripts.values()).every(({ script }) => script.cachedDataRejected === false)
  if (taken && cache.ran.isSupersetOf(ran)) return
  cache.ran = taken ? cache.ran.union(ran) : new Set(ran)
  try {
    writeCode()
  } catch {
    // A folder that cannot be written: each start compiles.
  }
}

const validators = () => (validatorsByName ??= run(VALIDATORS))

function run(name) {
  const filename = join(DIST, name)
  const bytes = readFileSync(filename)
  const sum = crc32(bytes)
  const fits = cache !== undefined && cachedDataVersionTag() === cache.tag
  const found = fits ? cache.scripts.get(name) : undefined
  cache?.scripts.delete(name)
  const cachedData = found?.sum === sum && found.length === bytes.length ? found.code : undefined
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')
  const wrapped = `(function (require, module, importModule, metaOf, script) {'use strict';${text}\n})`
  const script = new Script(wrapped, { filename, cachedData })
  if (fits) scripts.set(name, { script, sum, length: bytes.length })
  const module = { exports: {} }
  script.runInThisContext()(createRequire(filename), module, importModule, metaOf, { part, keepCode, validators })
  return module.exports
}

/** V8 refuses `import()` in a script without experimental functions of Node.js. */
const importModule = (name) => import(name)

/** What `import.meta` is in a source file, as if its code had a file of its own. */
function metaOf(file) {
  const filename = join(DIST, file)
  return { url: pathToFileURL(filename).href, filename, resolve: (name) => import.meta.resolve(name) }
}

/** A line of JSON that ends before a multiple of `STEP`, then the code of each script. */
function writeCode() {
  const found = Array.from(scripts, ([name, { script, sum, length }]) => {
    const code = script.createCachedData()
    return { name, sum, length, code, size: code.length, check: crc32(code) }
  })
  const list = found.map(({ code: _, ...rest }) => rest)
  const head = JSON.stringify({ form: FORM, ran: [...cache.ran], list })
  const parts = [Buffer.from(`${head}${' '.repeat(padding(head.length + 1))}\n`)]
  for (const { code } of found) parts.push(code, Buffer.alloc(padding(code.length)))
  removeOldDrafts()
  const draft = `${cache.file}.${process.pid}`
  try {
    writeFileSync(draft, Buffer.concat(parts), { mode: 0o600, flag: 'wx' })
    renameSync(draft, cache.file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Of processes that ended while they wrote. */
function removeOldDrafts() {
  const folder = dirname(cache.file)
  const drafts = readdirSync(folder).filter((name) => /^gateway-[0-9a-f]+\.\d+$/.test(name))
  for (const draft of drafts.map((name) => join(folder, name))) {
    const { mtimeMs } = lstatSync(draft, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity }
    if (Date.now() - mtimeMs > DRAFT_MS) rmSync(draft, { force: true })
  }
}

/** Nothing if there is no such file, or not a whole one. */
function readCode(file) {
  const none = { ran: new Set(), scripts: new Map() }
  try {
    if (!isOnlyOurs(file)) return none
    const bytes = readFileSync(file)
    const end = bytes.indexOf('\n') + 1
    const { form, ran: names, list } = JSON.parse(bytes.toString('latin1', 0, end))
    if (form !== FORM) return none
    let at = end
    const found = list.map(({ name, sum, length, size, check }) => {
      const code = bytes.subarray(at, at + size)
      at += size + padding(size)
      return [name, { sum, length, code: crc32(code) === check ? code : undefined }]
    })
    return { ran: new Set(names), scripts: new Map(found) }
  } catch {
    return none
  }
}

const padding = (size) => (STEP - (size % STEP)) % STEP
