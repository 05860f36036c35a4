import { isMediaPiece, isPadding } from '../shapes.ts'
import { type Known, numeric, shaped } from '../walk.ts'
import { id } from './shapes.ts'

/** Members that most events have. */
export const COMMON: Known = {
  sequence_number: numeric,
  output_index: numeric,
  content_index: numeric,
  summary_index: numeric,
  command_index: numeric,
  annotation_index: numeric,
  partial_image_index: numeric,
  item_id: id,
  response_id: id,
  obfuscation: shaped(isPadding, 'apart'),
  partial_image_b64: shaped(isMediaPiece, 'media'),
  delta: shaped(isMediaPiece, 'media'),
}

/** Events that only report progress. */
export const PROGRESS =
  /^(?:keepalive|response\.(?:audio\.(?:delta|done)|compaction\.compacting|image_generation_call\.partial_image|(?:web_search_call|file_search_call|image_generation_call|code_interpreter_call|mcp_call|mcp_list_tools)\.(?:in_progress|searching|interpreting|generating|completed|failed)))$/
/** Events with the whole response. */
export const LIFECYCLE = /^response\.(?:created|queued|in_progress|completed|incomplete|failed)$/
/** Of these, the last one. */
export const LAST = /^response\.(?:completed|incomplete|failed)$/
export const PART = /^response\.(content|reasoning_summary)_part\.(?:added|done)$/

/** Members of a delta that is the output of a program. */
export const STREAMS: ReadonlySet<string> = new Set(['stdout', 'stderr'])
