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

/** The bytes of a file in base64, whatever its member: `//` begins comments and labels as often as sound. */
export const isFile = (text: string): boolean => !text.startsWith('//') && isMedia(text.slice(0, LOOKED_AT))

/** The head of a `data:` URL (RFC 2397) of a registered kind of type, or of none. */
const HEAD =
  /^\s*data:((?:application|audio|font|image|message|model|multipart|text|video)\/[\w.+-]+)?((?:\s*;[^;,]*)*),/i
const MOST_OF_HEAD = 512
/** So much of a content tells whether it is text. */
const LOOKED_AT = 8192

/** Types whose content is text. */
const TEXTUAL =
  /^(?:(?:text|message)\/.*|image\/svg\+xml|application\/(?:json|xml|(?:x-)?(?:javascript|yaml|toml|sh|www-form-urlencoded|ndjson)|csv|sql|graphql|[\w.-]+\+(?:json|xml)))$/i

/** A `data:` URL whose content is no text, or is declared not to be. */
export function isUnreadableDataUrl(text: string): boolean {
  const found = HEAD.exec(text.slice(0, MOST_OF_HEAD))
  if (found === null) return false
  const [head, type = 'text/plain', parameters = ''] = found
  if (!TEXTUAL.test(type)) return true
  return /;\s*base64\s*$/i.test(parameters) && isUnreadableBase64(unescaped(text.slice(head.length)))
}

const unescaped = (base64: string): string =>
  base64.slice(0, 2 * LOOKED_AT).replace(/%(?:3d|2b|2f)/gi, (sign) => decodeURIComponent(sign))

const CONTROLS = /[\0-\x08\x0e-\x1f]/

/** Base64 of bytes that are no text, by its first thousands. Text is read by plugins, also encoded. */
export function isUnreadableBase64(text: string): boolean {
  const isCut = text.length > LOOKED_AT
  const head = text.slice(0, LOOKED_AT).replace(/\s+/g, '')
  if (!BASE64.test(head)) return false
  const bytes = Buffer.from(isCut ? head.slice(0, head.length & ~3) : head, 'base64')
  // The last character may be cut.
  const ends = isCut ? [0, 1, 2, 3] : [0]
  const end = ends.find((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)))
  return end === undefined || CONTROLS.test(bytes.toString('utf8', 0, bytes.length - end))
}
