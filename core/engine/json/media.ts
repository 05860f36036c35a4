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

/** The bytes of a file in base64, whatever its member. `//` begins comments and labels as often as sound, but few capitals follow. */
export const isFile = (text: string): boolean =>
  isMedia(text.slice(0, LOOKED_AT)) && (!text.startsWith('//') || CAPITALS.test(text.slice(0, 64)))
const CAPITALS = /^(?:[^A-Z]*[A-Z]){8}/

/** The head of a `data:` URL (RFC 2397): its type, and its parameters. */
const HEAD = /^data:(\s*)([\w.+*-]{1,64}\/[\w.+*-]{1,64})?((?:;[^;,]*)*),/i
const MOST_OF_HEAD = 2048
/** This many characters decide whether content is text. */
const LOOKED_AT = 8192
const REGISTERED = /^(?:application|audio|font|image|message|model|multipart|text|video)\//i

/** Types whose content is text. */
const TEXTUAL =
  /^(?:(?:text|message)\/.*|image\/svg\+xml|application\/(?:json|xml|(?:x-)?(?:javascript|yaml|toml|sh|www-form-urlencoded|ndjson)|csv|sql|graphql|[\w.-]+\+(?:json|xml)))$/i

/** A `data:` URL whose content is no text, or is declared not to be. What looks like one in prose and code has no base64. */
export function isUnreadableDataUrl(text: string): boolean {
  const start = text.slice(0, MOST_OF_HEAD).trimStart()
  const found = HEAD.exec(start)
  if (found === null) return false
  const [head, blanks, type = 'text/plain', parameters = ''] = found
  const isBase64 = /;\s*base64\s*$/i.test(parameters)
  if (!TEXTUAL.test(type)) return isBase64 || (blanks === '' && REGISTERED.test(type))
  return isBase64 && isUnreadableBase64(unescaped(text.slice(text.length - text.trimStart().length + head.length)))
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
