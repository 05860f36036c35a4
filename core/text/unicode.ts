/** Stub, replaced by the full normaliser. */
export interface OffsetMap {
  toRaw(start: number, end: number): readonly [number, number]
}
export interface Normalised {
  readonly text: string
  readonly map?: OffsetMap
}
export function normalise(raw: string): Normalised {
  return { text: raw }
}
export function openTail(raw: string): number {
  const last = raw.charCodeAt(raw.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? raw.length - 1 : raw.length
}
