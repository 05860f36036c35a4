import type { Channel } from '../contract/plugin.ts'
import { isFile, isUnreadableBase64, isUnreadableDataUrl } from './media.ts'
import type { Path } from './strict.ts'

/** Members that hold the id, the bytes or the address of media, in every API and common server. */
const IDS = new Set('file_id file_ids image_id audio_id video_id media_id vector_store_id vector_store_ids'.split(' '))
const BYTES = new Set(
  `file_data image_data audio_data video_data b64_json image_b64 image_base64 audio_b64 audio_base64`.split(/\s+/),
)
const LINKS = new Set(
  `image images image_url image_urls image_uri input_image input_image_mask mask audio audio_url audio_urls audio_uri
  input_audio video video_url video_urls video_uri input_video file file_url file_urls file_uri input_file document_url
  pdf_url media_url media_uri`.split(/\s+/),
)
/** Addresses of servers whose tools the provider calls. */
const SERVERS = new Set(['server_url', 'connector_id'])
/** What is in an object that is named like a link. */
const WITHIN = new Set(['url', 'uri', 'href', 'id', 'data', 'source'])
const URL = /^\s*[a-z][a-z0-9+.-]*:\/\//i
/** Shorter ones may be words. */
const SHORT = 24
const PICTURE = /image|mask|b64_json/

/**
 * Counts what cannot be inspected. Every value of a document comes by here: texts with `look`, words that need no inspection with
 * `pass`. So media in unknown members are counted like those in known ones.
 */
export class Unseen {
  /** Of a request: the provider reads what it names. A reply names sources. */
  namesMedia = false
  /** Kind and count of content that cannot be inspected. */
  readonly uninspected = new Map<string, number>()
  /** How many walks around this one have counted what they walk. */
  #counted = 0

  skip(kind: string): void {
    this.uninspected.set(kind, (this.uninspected.get(kind) ?? 0) + 1)
  }

  /** Begins or ends with values that are counted already, or need not be. */
  cover(begins: boolean): void {
    this.#counted += begins ? 1 : -1
  }

  /** A word that needs no inspection at its place; the lists of streams note it. */
  pass(path: Path, word: string, over?: string): void {
    if (over === 'media') this.look('other', path, word)
  }

  /** Counts a text if it stands for media. */
  look(channel: Channel, path: Path, text: string): void {
    if (this.#counted > 0) return
    const kind = unseenKind(channel, path, text, this.namesMedia)
    if (kind !== undefined) this.skip(kind)
  }
}

/** The kind of a text that stands for media; undefined if it is all there is to read. */
export function unseenKind(channel: Channel, path: Path, text: string, namesMedia = false): string | undefined {
  if (isUnreadableDataUrl(text) || isFile(text)) return kindAt(path)
  return namesMedia && isNamed(channel, path, text) ? kindAt(path) : undefined
}

/** Only members that no API knows: in arguments, schemas and metadata these names are of the client's own tools. */
function isNamed(channel: Channel, path: Path, text: string): boolean {
  if (channel !== 'other') return false
  const [name, around] = namesOf(path)
  if (name === undefined) return false
  if (IDS.has(name) || BYTES.has(name)) return true
  if (SERVERS.has(name)) return true
  if (LINKS.has(name)) return URL.test(text)
  if (around === 'source' && name === 'data') return text.length >= SHORT && isUnreadableBase64(text)
  if (around === 'mcp_servers') return name === 'url'
  // Each has one: `azure_search` and the like.
  if (around === 'data_sources') return name === 'type'
  return around !== undefined && LINKS.has(around) && WITHIN.has(name)
}

function kindAt(path: Path): string {
  const [name = '', around = ''] = namesOf(path)
  if (SERVERS.has(name) || around === 'mcp_servers') return 'mcp_server'
  if (around === 'data_sources') return 'data_source'
  if (PICTURE.test(name) || PICTURE.test(around)) return 'image_url'
  return isOfMedia(name) || isOfMedia(around) || around === 'source' ? 'file' : 'media'
}

const isOfMedia = (name: string): boolean => IDS.has(name) || BYTES.has(name) || LINKS.has(name)

/** The closest name, and the one around it. */
function namesOf(path: Path): string[] {
  const names: string[] = []
  for (let i = path.length - 1; i >= 0 && names.length < 2; i--) {
    const step = path[i]
    if (typeof step === 'string') names.push(step)
  }
  return names
}
