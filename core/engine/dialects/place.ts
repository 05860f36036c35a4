import type { Field } from '../json/fields.ts'
import type { Path } from '../json/strict.ts'
import type { ViewOrigin } from '../text/views.ts'
import type { TextPlace } from './stream.ts'

/** Number of enclosing names that plugins see. */
const MAX_WITHIN = 3

/** Member names of the API and common extensions: they reveal the location of a text, not its content. */
const NAMES: ReadonlySet<string> = new Set(
  (
    'messages role content type text name refusal reasoning reasoning_content reasoning_details tool_calls tool_call_id ' +
    'function custom input arguments function_call audio transcript id index image_url url detail images input_audio data format ' +
    'file filename file_data file_id tools tool_choice functions description parameters properties items enum default ' +
    'examples title required strict response_format json_schema schema prediction metadata user safety_identifier stop ' +
    'web_search_options user_location documents chat_template_kwargs prompt_cache_key service error message code param ' +
    'choices delta annotations url_citation start_index end_index logprobs top_logprobs token usage model object created ' +
    'finish_reason system_fingerprint service_tier modalities logit_bias stream_options prompt suffix results categories ' +
    'system source title context citations cited_text thinking signature tool_use_id is_error input_schema input_examples ' +
    'user_id stop_sequences output_config stop_sequence stop_details explanation content_block partial_json stdout stderr ' +
    'context_management mcp_servers data_sources details'
  ).split(' '),
)

/** One step of a readable path. Names chosen by the caller or provider become `*`, since a name may be a value. */
export const stepName = (step: string): string => (NAMES.has(step) ? step : '*')

/** Location of a growing text; choices use their index, not their position in the event. */
export function originOfPiece({ channel, choice, path }: TextPlace): ViewOrigin {
  const inChoice = path[0] === 'choices'
  const steps = inChoice ? ['choices', choice, ...path.slice(2)] : path
  return { channel, role: inChoice ? 'assistant' : undefined, choice, path: shown(steps), ...namesOf(path) }
}

/** Location of a field, in words that are safe for reasons and logs, and the member whose value it is. */
export const originOf = (field: Field): ViewOrigin => new FieldOrigin(field)

/** Computes names on first use: few callers need them, and a document may have a hundred thousand fields. */
class FieldOrigin implements ViewOrigin {
  readonly #field: Field
  #known: Pick<ViewOrigin, 'member' | 'within'> | undefined = undefined

  constructor(field: Field) {
    this.#field = field
  }

  get #names() {
    if (this.#field.place === 'key') return undefined
    this.#known ??= namesOf(this.#field.path)
    return this.#known
  }

  get channel() {
    return this.#field.channel
  }
  get role() {
    return this.#field.role
  }
  get choice() {
    return this.#field.choice
  }
  get member() {
    return this.#names?.member
  }
  get within() {
    return this.#names?.within
  }
  get beside() {
    return this.#field.beside
  }
  get path() {
    const { path, inner } = this.#field
    return shown(inner === undefined ? path : [...inner.path, ...path])
  }
}

/** The closest name to a value, and the names around it. */
function namesOf(path: Path): Pick<ViewOrigin, 'member' | 'within'> {
  let member: string | undefined
  let within: string[] | undefined
  for (let i = path.length - 1; i >= 0; i--) {
    const step = path[i]
    if (typeof step !== 'string') continue
    if (member === undefined) member = step
    else if (within === undefined) within = [step]
    else if (within.push(step) === MAX_WITHIN) break
  }
  return { member, within }
}

function shown(path: Path): string {
  let out = ''
  for (const step of path) {
    if (typeof step === 'number') out += `[${step}]`
    else out += out === '' ? stepName(step) : `.${stepName(step)}`
  }
  return out
}
