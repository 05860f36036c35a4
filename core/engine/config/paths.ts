import { isShownName } from '../util/outside.ts'

/** Readable config paths: `plugins[2].options.action`, `upstreams["my host"].url`. */
export type Segment = string | number

export function formatPath(segments: readonly Segment[]): string {
  let path = ''
  for (const segment of segments) {
    if (typeof segment === 'number') path += `[${segment}]`
    else if (/^[A-Za-z_][\w-]*$/.test(segment)) path += path === '' ? segment : `.${segment}`
    else path += `[${JSON.stringify(segment)}]`
  }
  return path
}

/** Places of problems whose path hides a name, to find their lines. Never shown. */
const hiddenPlaces = new WeakMap<object, string>()

/** Path of a problem, with the names that its own path does not show. */
export const wholePath = (problem: { readonly path: string }): string => hiddenPlaces.get(problem) ?? problem.path

/** A message at a place. A name that may be a secret ends the path: the message is about what is in it. */
export function placed(segments: readonly Segment[], message: string, base = ''): { path: string; message: string } {
  const hidden = segments.findIndex((segment) => typeof segment === 'string' && !isShownName(segment))
  if (hidden < 0) return { path: joinPath(base, segments), message }
  const told = `a member with a name that is not shown here: ${message}`
  return placedAround(segments, segments.slice(0, hidden), told, base)
}

/** A message at `shown`, which is about `segments` in it. */
export function placedAround(
  segments: readonly Segment[],
  shown: readonly Segment[],
  message: string,
  base = '',
): { path: string; message: string } {
  const problem = placed(shown, message, base)
  hiddenPlaces.set(problem, joinPath(base, segments))
  return problem
}

export function parsePath(path: string): Segment[] {
  const segments: Segment[] = []
  for (const [, index, quoted, name] of path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)) {
    if (index !== undefined) segments.push(Number(index))
    else segments.push(quoted === undefined ? name! : (JSON.parse(quoted) as string))
  }
  return segments
}

/** Segments of a JSON Pointer into `root`; array indexes become numbers. */
export function pointerSegments(pointer: string, root: unknown): Segment[] {
  const segments: Segment[] = []
  let node = root
  for (const raw of pointer.split('/').slice(1)) {
    const name = raw.replaceAll('~1', '/').replaceAll('~0', '~')
    segments.push(Array.isArray(node) ? Number(name) : name)
    node = typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[name] : undefined
  }
  return segments
}

export function joinPath(base: string, segments: readonly Segment[]): string {
  const rest = formatPath(segments)
  if (base === '' || rest === '') return base + rest
  return rest.startsWith('[') ? base + rest : `${base}.${rest}`
}
