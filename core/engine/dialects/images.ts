import type { Json } from '../contract/plugin.ts'
import { type FieldList, isObject } from '../json/fields.ts'
import { isMedia, isMediaDataUrl } from '../json/media.ts'
import type { Path } from '../json/strict.ts'
import { isGrade } from './shapes.ts'
import { each, kind, members, numeric, shaped, unseen } from './walk.ts'

/** A media URL: data URLs of pictures and files cannot be inspected; any other address is text. */
export function mediaUrl(list: FieldList, path: Path, value: Json, role?: string): void {
  if (!isMediaDataUrl(value) && !isMedia(value)) {
    list.addAll('media_url', path, value, role)
  } else list.pass(path, value as string, 'media')
}

const detail = shaped(isGrade)

/** A picture, as an address or as an object with one. */
export function imageUrl(list: FieldList, path: Path, value: Json, role?: string): void {
  const url = (l: FieldList, p: Path, v: Json) => mediaUrl(l, p, v, role)
  unseen(list, 'image_url', () => {
    if (isObject(value)) members(list, path, value, { url, detail }, role)
    else url(list, path, value)
  })
}

/** Pictures in model answers: `images: [{ type: 'image_url', image_url: { url } }]`. */
export function images(list: FieldList, path: Path, value: Json, role?: string): void {
  each(list, path, value, (l, p, v) => {
    if (!isObject(v)) return l.addAll('media_url', p, v, role)
    const picture = (a: FieldList, b: Path, c: Json) => imageUrl(a, b, c, role)
    members(l, p, v, { type: kind, index: numeric, image_url: picture }, role)
  })
}
