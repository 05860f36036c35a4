import type { Json } from '../contract/plugin.ts'
import { Pace, type Steps } from '../util/steps.ts'

type Container = readonly Json[] | { readonly [name: string]: Json }

/** Values of a container whose JSON takes too long to write at once; some 300 ns each, if they are long numbers. */
export const MANY = 16 * 1024
/** Values of one step. */
const STEP = 4 * 1024

/** The JSON of containers with many values, as long as they live. */
const texts = new WeakMap<object, string>()

/** The same as `JSON.stringify`, which cannot pause. A large request has the JSON of what is large in it already. */
export const jsonOf = (value: Container): string => texts.get(value) ?? JSON.stringify(value)

/**
 * Writes the JSON of each container with many values below `tree`, in steps.
 *
 * @param lists members of the tree that nobody writes as a whole, such as `messages`; their elements may be
 */
export function* writeBigTexts(tree: Json, lists: ReadonlySet<string>): Steps<void> {
  const pace = new Pace(STEP)
  if (!isContainer(tree)) return
  for (const [name, value] of Object.entries(tree)) {
    if (!isContainer(value)) continue
    if (!lists.has(name)) yield* count(value, pace)
    else for (const one of Object.values(value)) if (isContainer(one)) yield* count(one, pace)
  }
}

/** The number of values in a container. Writes its text if they are many. */
function* count(container: Container, pace: Pace): Steps<number> {
  const values = Array.isArray(container) ? (container as readonly Json[]) : (Object.values(container) as Json[])
  let all = values.length
  for (const value of values) {
    if (isContainer(value)) all += yield* count(value, pace)
    if (pace.spent(1)) yield
  }
  if (all >= MANY) texts.set(container, yield* write(container, pace))
  return all
}

function* write(container: Container, pace: Pace): Steps<string> {
  // To list names takes long enough: values are looked up, one by one.
  const names = Array.isArray(container) ? undefined : Object.keys(container)
  const length = names === undefined ? (container as readonly Json[]).length : names.length
  let text = names === undefined ? '[' : '{'
  for (let i = 0; i < length; i++) {
    const name = names?.[i]
    const value = (container as { readonly [name: string | number]: Json })[name ?? i] as Json
    if (i > 0) text += ','
    if (name !== undefined) text += `${JSON.stringify(name)}:`
    text += isContainer(value) ? jsonOf(value) : JSON.stringify(value)
    if (pace.spent(isContainer(value) ? sizeOf(value) : 1)) yield
  }
  return text + (names === undefined ? ']' : '}')
}

/** About how many values are written with a container that has no text. */
const sizeOf = (container: Container): number =>
  texts.has(container) ? 1 : Array.isArray(container) ? container.length : Object.keys(container).length

const isContainer = (value: Json): value is Json[] | { [name: string]: Json } =>
  typeof value === 'object' && value !== null
