export interface QuietHours {
  /** `HH:MM`, inclusive. */
  readonly from: string
  /** `HH:MM`, exclusive. If not after `from`, it is on the next day. */
  readonly to: string
  /** Days on which quiet hours begin. Default every day. */
  readonly days?: readonly Day[]
  /** IANA time zone. Default UTC. */
  readonly time_zone?: string
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type Day = (typeof DAYS)[number]

/** Whether it is quiet, in the local time of the time zone. */
export function isQuiet({ from, to, days = [], time_zone: zone = 'UTC' }: QuietHours, now: number): boolean {
  const { day, minute } = localTime(now, zone)
  const [start, end] = [minutesOf(from), minutesOf(to)]
  const begins = (on: number) => days.length === 0 || days.includes(DAYS[(on + 7) % 7]!)
  if (start < end) return begins(day) && minute >= start && minute < end
  return (begins(day) && minute >= start) || (begins(day - 1) && minute < end)
}

/** Whether this machine knows the time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

const formats = new Map<string, Intl.DateTimeFormat>()

/** Creating a format takes a hundred times as long as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const options = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const format = new Intl.DateTimeFormat('en-US', options)
  formats.set(timeZone, format)
  return format
}

function localTime(now: number, zone: string): { day: number; minute: number } {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  )
  return {
    day: DAYS.indexOf((parts.get('weekday') ?? '').toLowerCase() as Day),
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  }
}
