import { isUtf8 } from 'node:buffer'

/** What pictures, sound and files look like in JSON. */

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/
/** Base64 prefixes of pictures, sound, PDF and archives; text never starts like this. */
const MAGIC =
  /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|SUkq|TU0AK|AAAA..Z0eXB|JVBERi0|UEsDB|SUQz|\/\/[-+_vuts]|T2dnUw|ZkxhQ|GkXfo|H4sI|Qk[0-3])/

/** Base64 of binary media, recognised by its start. Strings short enough to be a value are inspected. */
export const isMedia = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 64 && MAGIC.test(value) && BASE64.test(value)

/** A `data:` URL whose base64 body matches its media type, as used for images and files. */
export function isMediaDataUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !value.startsWith('data:')) return false
  const comma = value.indexOf(',')
  return comma > 0 && comma < 128 && DATA_HEAD.test(value.slice(0, comma)) && isMedia(value.slice(comma + 1))
}
/** Allows no parameters: their values are free text. */
const DATA_HEAD =
  /^data:(?:image\/(?:png|jpe?g|gif|webp|bmp|tiff|avif|hei[cf])|audio\/(?:x-)?(?:wav|wave|mpeg|mp[34]|ogg|flac|aac|webm|m4a)|video\/(?:mp4|webm|mpeg|quicktime)|application\/(?:pdf|zip|octet-stream|msword|vnd\.ms-(?:excel|powerpoint)|vnd\.openxmlformats-officedocument\.(?:wordprocessingml\.document|spreadsheetml\.sheet|presentationml\.presentation)));base64$/

/** Types whose content is text. */
const TEXTUAL =
  /^(?:text\/.*|message\/.*|image\/svg\+xml|application\/(?:json|xml|javascript|yaml|x-yaml|csv|sql|x-ndjson|[\w.-]+\+(?:json|xml))|)$/i

/** A `data:` URL whose content is no text, or is declared not to be. */
export function isUnreadableDataUrl(text: string): boolean {
  const start = beginsData(text)
  if (start < 0) return false
  const comma = text.indexOf(',', start)
  if (comma < 0) return false
  const head = text.slice(start + SCHEME.length, comma)
  const [type = ''] = head.split(';', 1)
  if (!TEXTUAL.test(type.trim())) return type.includes('/')
  const body = text.slice(comma + 1)
  if (/;\s*base64\s*$/i.test(head)) return isUnreadableBase64(percentDecoded(body) ?? body)
  return percentDecoded(body) === undefined
}

const SCHEME = 'data:'

/** Where the URL begins; negative if the text is none. */
function beginsData(text: string): number {
  let at = 0
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++
  const first = text.charCodeAt(at) | 0x20
  return first === 0x64 && text.slice(at, at + SCHEME.length).toLowerCase() === SCHEME ? at : -1
}

/** Undefined if the bytes are no text. */
function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    const decoded = decodeURIComponent(text)
    return CONTROLS.test(decoded) ? undefined : decoded
  } catch {
    return /%(?:[89a-f][0-9a-f])/i.test(text) ? undefined : text
  }
}

const CONTROLS = /[\0-\x08\x0e-\x1f]/

/** Base64 of bytes that are no text. Text is read by plugins, also encoded. */
export function isUnreadableBase64(text: string): boolean {
  if (!BASE64.test(text.replace(/\s+/g, ''))) return false
  const bytes = Buffer.from(text, 'base64')
  return !isUtf8(bytes) || CONTROLS.test(bytes.toString('utf8'))
}
