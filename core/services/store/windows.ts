/**
 * Windows as numbered time slices. A calendar window is one slice, numbered by its start. A rolling window has 60
 * slices and one that is still filling. `total` is always slice 0. `redis/lua/meters.ts` has the same arithmetic in
 * Lua.
 */
import type { Calendar, Window } from '../../engine/contract/store-limits.ts'
import { SLICES } from './ops.ts'

const TAGS: Readonly<Record<Calendar, string>> = { minute: 'i', hour: 'h', day: 'd', week: 'w', month: 'm' }
const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000
const LENGTH: Readonly<Record<string, number>> = { i: MINUTE, h: HOUR, d: DAY }
// 1970-01-01 was a Thursday; weeks start on Monday (ISO 8601).
const FIRST_MONDAY = 4 * DAY

/** Name of the meter of a key and window. */
export function meter(key: string, window: Window): string {
  const tag = window === 'total' ? 't' : 'calendar' in window ? TAGS[window.calendar] : `r${window.rolling}`
  return `${tag}/${key}`
}

export interface Frame {
  /** The slice that contains `now`. */
  readonly current: number
  /** The oldest slice that still counts. */
  readonly first: number
  /** Whether the window ends at a fixed time, regardless of use. */
  readonly calendar: boolean
  /** How far ahead of the clock the newest slice may be, milliseconds; see `TOLERANCE_MS`. */
  readonly tolerance: number
  /** When a slice begins. */
  starts(slice: number): number
  /** When a slice stops counting; null for never. */
  leaves(slice: number): number | null
}

/**
 * Handles clocks that are set back. After a small step the newest slice stays current, so that the past cannot reopen.
 * After a step of more than a window, or ten minutes, the old clock must have been wrong: the newest slices move to
 * now. Otherwise limits would stay spent until the clock catches up.
 */
export const TOLERANCE_MS = 600_000

const same = (slice: number): number => slice
const frames = new Map<string, (now: number) => Frame>()

/** The slices of a meter's window at a time. */
export function frame(meterName: string, now: number): Frame {
  const tag = meterName.slice(0, meterName.indexOf('/'))
  let make = frames.get(tag)
  if (make === undefined) {
    make = framer(tag)
    frames.set(tag, make)
  }
  return make(now)
}

const TOTAL: Frame = { current: 0, first: 0, calendar: false, tolerance: 0, starts: same, leaves: () => null }

function framer(tag: string): (now: number) => Frame {
  if (tag === 't') return () => TOTAL
  if (tag.startsWith('r')) {
    const rolling = Number(tag.slice(1))
    const length = Math.ceil(rolling / SLICES)
    const tolerance = Math.min(rolling, TOLERANCE_MS)
    const starts = (slice: number): number => slice * length
    const leaves = (slice: number): number => (slice + SLICES + 1) * length
    return (now) => {
      const current = Math.floor(now / length)
      return { current, first: current - SLICES, calendar: false, tolerance, starts, leaves }
    }
  }
  if (tag === 'm') return calendarFramer(monthStart, nextMonth)
  if (tag === 'w') {
    const start = (now: number): number => Math.floor((now - FIRST_MONDAY) / (7 * DAY)) * 7 * DAY + FIRST_MONDAY
    return calendarFramer(start, (slice) => slice + 7 * DAY)
  }
  const length = LENGTH[tag]
  if (length === undefined) throw new RangeError(`unknown window tag ${tag}`)
  return calendarFramer(
    (now) => Math.floor(now / length) * length,
    (slice) => slice + length,
  )
}

/** Every call asks several times, nearly always in the window of the call before. */
function calendarFramer(startOf: (now: number) => number, leaves: (slice: number) => number): (now: number) => Frame {
  let last: Frame | undefined
  let end = 0
  return (now) => {
    if (last !== undefined && now >= last.current && now < end) return last
    last = calendarFrame(startOf(now), leaves)
    end = leaves(last.current)
    return last
  }
}

const calendarFrame = (start: number, leaves: (slice: number) => number): Frame => ({
  current: start,
  first: start,
  calendar: true,
  tolerance: Math.min(leaves(start) - start, TOLERANCE_MS),
  starts: same,
  leaves,
})

function monthStart(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

function nextMonth(start: number): number {
  const date = new Date(start)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
