let second = -1
let secondText = ''

/** ISO 8601, UTC, with milliseconds. Caches the seconds: `toISOString` takes ten times as long. */
export function isoTime(now: number = Date.now()): string {
  const milliseconds = now % 1000
  if (now - milliseconds !== second) {
    second = now - milliseconds
    secondText = new Date(second).toISOString().slice(0, 20)
  }
  return `${secondText}${milliseconds < 10 ? '00' : milliseconds < 100 ? '0' : ''}${milliseconds}Z`
}
