import { encodeRecorded, type RecordedEvent } from 'governed-gateway/kit'
import type { FormatSettings } from './destination.ts'

/** The receiver's names for the time of an event, and for its text if the format is not JSON. */
interface Names {
  readonly time: string
  readonly message: string
}

/** A JSON object that begins with the time, for receivers with a fixed time field. */
export function timed(recorded: RecordedEvent, settings: FormatSettings, { time, message }: Names): string {
  const { format, source } = settings
  const { source_name, environment } = source
  const text = encodeRecorded(format, recorded, source)
  const object = format === 'cef' ? JSON.stringify({ [message]: text, source_name, environment }) : text
  return `{"${time}":${JSON.stringify(recorded.event.time)},${object.slice(1)}`
}
