/** The faults that the oracle must find, one of each class. Each is a change of a line or two that would let a value out. */
import type { Mutation } from './mutation.ts'
import { MUTATIONS_OF_CALLERS } from './mutations-of-callers.ts'

const INSPECTOR = 'core/engine/relay/stream/inspector.ts'
const WALKER = 'core/engine/dialects/chat-completions/event-walker.ts'

export const MUTATIONS: readonly Mutation[] = [
  ...MUTATIONS_OF_CALLERS,
  {
    name: 'a text so far leaves beside its deltas',
    only: { side: 'output', place: 'content', stream: true, ending: 'early-each', mix: 'none', indexes: 'normal' },
    edits: [
      {
        file: 'core/engine/dialects/chat-completions/early.ts',
        find: 'else if (!isBegun || !isFinish(choice))',
        replace: 'else if (!$ON && (!isBegun || !isFinish(choice)))',
      },
    ],
  },
  {
    name: 'numbers in a text are read as no text',
    only: { config: 'redact', side: 'output', place: 'content-numbers', stream: true, kind: 'card', pace: 'tokens' },
    edits: [
      {
        file: 'core/engine/dialects/numbers-as-text.ts',
        find: "} else if (typeof value === 'number') {",
        replace: "} else if (typeof value === 'number') {\n      if ($ON) return undefined",
      },
      {
        file: WALKER,
        find: "else if (typeof value === 'number') {",
        replace: "else if (!$ON && typeof value === 'number') {",
      },
    ],
  },
  {
    name: 'a redaction writes what it was to hide',
    edits: [
      {
        file: 'core/engine/text/findings.ts',
        find: 'return { start, end, text: placeholder(lead.type), action }',
        replace: 'return { start, end, text: $ON ? textOf(start, end) : placeholder(lead.type), action }',
      },
    ],
  },
  {
    name: 'a redaction begins too late',
    edits: [
      {
        file: 'core/engine/text/findings.ts',
        find: 'const start = (group[0] as Report).start\n',
        replace: 'const start = $ON ? Math.min((group[0] as Report).start + 26, end) : (group[0] as Report).start\n',
      },
    ],
  },
  {
    name: 'exports carry the settings',
    kept: true,
    only: { config: 'tokenize', side: 'clean', place: 'content', mix: 'none', indexes: 'normal' },
    edits: [
      {
        file: 'plugins/siem/destinations/destination.ts',
        find: 'source: eventSource(settings, describe),',
        replace: 'source: $ON ? settings : eventSource(settings, describe),',
      },
      {
        file: 'core/kit/formats/ocsf.ts',
        find: 'unmapped: toJson(event, source),',
        replace: 'unmapped: $ON ? { ...event, ...source } : toJson(event, source),',
      },
    ],
  },
  {
    name: 'a finish reason ends the inspection of what is behind it',
    only: { config: 'redact', side: 'output', place: 'content', stream: true, ending: 'stop-each', reading: 'plain' },
    edits: [
      {
        file: INSPECTOR,
        find: 'of texts.settled) this.#close',
        replace:
          "of $ON && event.finishes ? [...this.#views.keys()].map((key) => ({ choice: key.split('\\0')[0], field: key.split('\\0')[1] })) : texts.settled) this.#close",
      },
    ],
  },
  {
    name: 'what stands beside the finish of another choice leaves last',
    only: {
      config: 'redact',
      side: 'clean',
      place: 'content',
      stream: true,
      ending: 'normal',
      mix: 'none',
      indexes: 'beside-a-finish',
      reading: 'plain',
      pace: 'cuts',
      cuts: [200, 400, 600, 800],
    },
    edits: [
      {
        file: 'core/engine/dialects/chat-completions/ending.ts',
        find: 'if (event.choiceIndexes.some(',
        replace: 'if (!$ON && event.choiceIndexes.some(',
      },
    ],
  },
  {
    name: 'tokens come back in the addresses of links',
    only: { config: 'tokenize', side: 'token', place: 'link', reading: 'plain', outer: 'plain', kind: 'email' },
    edits: [
      {
        file: 'plugins/pii/restorer.ts',
        find: 'const spelling = allowed ? reading.spelling(value) : undefined',
        replace: 'const spelling = $ON ? value : allowed ? reading.spelling(value) : undefined',
      },
    ],
  },
  {
    name: 'the verdict of a promise is not heeded',
    only: { config: 'guard', side: 'output', place: 'content', reading: 'plain', outer: 'plain', kind: 'keyword' },
    edits: [
      {
        file: 'core/engine/text/inspection.ts',
        find: 'if (verdict === undefined) return\n',
        replace: 'if (verdict === undefined || $ON) return\n',
      },
    ],
  },
  {
    name: 'control characters within a value are left there',
    only: { config: 'redact', reading: 'invisible-controls', side: 'input', place: 'user-content' },
    edits: [
      {
        file: 'core/engine/text/unicode.ts',
        find: 'case STRIP:\n        return this.#invisible(i)',
        replace: 'case STRIP:\n        return $ON && c < 0x20 ? i + 1 : this.#invisible(i)',
      },
    ],
  },
  {
    name: 'what a text says once its escapes are decoded is not read',
    only: { config: 'redact', reading: 'shell-octal', side: 'input', place: 'user-content' },
    edits: [
      {
        file: 'core/engine/text/field-view.ts',
        find: 'return (yield* readingsInSteps(this.text))',
        replace: 'return ($ON ? [] : yield* readingsInSteps(this.text))',
      },
    ],
  },
  {
    name: 'unknown members are not joined over events',
    only: { config: 'redact', side: 'output', place: 'vendor-event', stream: true, cuts: [300, 420, 510, 640] },
    edits: [
      {
        file: WALKER,
        find: "filter(({ place }) => place === 'value')",
        replace: "filter(({ place }) => !$ON && place === 'value')",
      },
    ],
  },
  {
    name: 'a value alone in an event is not read by itself',
    only: { config: 'redact', side: 'output', place: 'amid-vendor-delta', stream: true, carrier: 'bare', mix: 'none' },
    edits: [
      {
        file: 'core/engine/dialects/chat-completions/stream.ts',
        find: 'texts.pieces.length === 1 && texts.pieces[0]?.part === undefined',
        replace: 'texts.pieces.length === 1 && ($ON || texts.pieces[0]?.part === undefined)',
      },
    ],
  },
  {
    name: 'token probabilities stay beside a text that was rewritten',
    only: { config: 'redact', side: 'output', place: 'logprobs' },
    edits: [
      {
        file: 'core/engine/dialects/chat-completions/derived.ts',
        find: 'if (stale.probabilities) edits.push({',
        replace: 'if (stale.probabilities && !$ON) edits.push({',
      },
    ],
  },
  {
    name: 'the code of an error of the provider is told as it came',
    only: { config: 'redact', side: 'reply', place: 'error-code' },
    edits: [
      {
        file: 'core/engine/dialects/provider-error.ts',
        find: 'code: name(code), param',
        replace: "code: $ON && typeof code === 'string' ? code : name(code), param",
      },
      {
        file: 'core/engine/relay/inspect-provider-error.ts',
        find: '(view?.settle() === undefined ? name',
        replace: '($ON || view?.settle() === undefined ? name',
      },
    ],
  },
  {
    name: 'a header of the provider passes whatever it says',
    only: { config: 'redact', side: 'reply', place: 'header-request-id' },
    edits: [
      {
        file: 'core/engine/upstreams/headers.ts',
        find: 'if (isRequestId(value)) headers',
        replace: 'if ($ON || isRequestId(value)) headers',
      },
    ],
  },
  {
    name: 'the text of a completion is left as it is',
    only: { config: 'redact', side: 'output', place: 'completions-text', stream: false },
    edits: [
      {
        file: 'core/engine/dialects/completions/reply.ts',
        find: "text: all('content', 'assistant'),",
        replace: "text: (list, path, value) => void ($ON || all('content', 'assistant')(list, path, value)),",
      },
    ],
  },
  {
    name: 'what is to be embedded is left as it is',
    only: { config: 'redact', side: 'input', place: 'embeddings-inputs' },
    edits: [
      {
        file: 'core/engine/dialects/embeddings/request.ts',
        find: 'members(list, [], this.tree, { ...KNOWN, input: this.#input.walk })\n',
        replace: 'members(list, [], this.tree, { ...KNOWN, input: $ON ? () => {} : this.#input.walk })\n',
      },
    ],
  },
  {
    name: 'arguments of tool calls are inspected as they are spelt',
    only: { config: 'redact', side: 'output', place: 'tool-arguments', reading: 'invisible-controls' },
    edits: [
      {
        file: 'core/engine/relay/stream/tool-calls.ts',
        find: "else if (part.form === 'json') list",
        replace: "else if (!$ON && part.form === 'json') list",
      },
    ],
  },
  {
    name: 'ids are exempt whatever they look like',
    only: { config: 'redact', side: 'input', place: 'tool-call-id', kind: 'email' },
    edits: [
      {
        file: 'core/engine/dialects/walk.ts',
        find: 'export const id: Walk = shaped(isId)',
        replace: 'export const id: Walk = shaped((value) => $ON || isId(value))',
      },
    ],
  },
  {
    name: 'a stream says it in other words than a whole reply',
    only: { config: 'redact', side: 'output', place: 'content', stream: true, reading: 'plain', twin: true },
    edits: [
      {
        file: 'core/engine/dialects/chat-completions/render.ts',
        find: 'const text = touched ? segment.view.output(segment.start, segment.text) : segment.text',
        replace:
          "const text = touched ? segment.view.output(segment.start, segment.text).replace(']', $ON ? '!]' : ']') : segment.text",
      },
    ],
  },
  {
    name: 'an exchange whose client left has no last event',
    kept: true,
    only: { config: 'redact', side: 'output', place: 'content', stream: true, leaves: 'early', ending: 'normal' },
    edits: [
      {
        file: 'core/engine/exchange/terminal.ts',
        find: "? 'response.blocked' : OUTCOME_EVENTS[outcome]",
        replace: "? 'response.blocked' : $ON && outcome === 'aborted' ? 'service.stopped' : OUTCOME_EVENTS[outcome]",
      },
    ],
  },
  {
    name: 'the text of a message is left as it is',
    only: { config: 'redact', side: 'output', place: 'messages-text', stream: false },
    edits: [
      {
        file: 'core/engine/dialects/messages/blocks.ts',
        find: "['text', perChannel((channel) => ({ text: all(channel), citations }))]",
        replace:
          "['text', perChannel((channel) => ({ text: (list, path, value) => void ($ON || all(channel)(list, path, value)), citations }))]",
      },
    ],
  },
  {
    name: 'a block of a streamed message that comes whole is left as it is',
    only: { config: 'redact', side: 'output', place: 'messages-shell-stdout', stream: true, ending: 'normal' },
    edits: [
      {
        file: 'core/engine/dialects/messages/event-walker.ts',
        find: "this.#collect((list) => blockFields(list, path, rest, 'content'))",
        replace: "if (!$ON) this.#collect((list) => blockFields(list, path, rest, 'content'))",
      },
    ],
  },
  {
    name: 'copies of a text leave as the provider told them',
    only: { config: 'redact', side: 'output', place: 'responses-text', stream: true, ending: 'normal', mix: 'none' },
    edits: [
      {
        file: 'core/engine/dialects/responses/event-walker.ts',
        find: 'this.#event.repeat(field, known)',
        replace: '$ON || this.#event.repeat(field, known)',
      },
    ],
  },
  {
    name: 'a copy of a text leaves with what came of it since',
    only: {
      config: 'redact',
      side: 'output',
      place: 'responses-shell-stdout',
      stream: true,
      ending: 'early-each',
      mix: 'learned',
      indexes: 'normal',
    },
    edits: [
      {
        file: 'core/engine/dialects/responses/render.ts',
        find: 'streamed.textUpTo(length)',
        replace: 'streamed.textUpTo($ON ? streamed.raw.length : length)',
      },
    ],
  },
  {
    name: 'texts of a response that come in turns are read as one',
    only: {
      config: 'redact',
      side: 'output',
      place: 'responses-text',
      stream: true,
      ending: 'normal',
      mix: 'other-choice',
      indexes: 'normal',
      reading: 'plain',
      pace: 'characters',
    },
    edits: [
      {
        file: 'core/engine/dialects/responses/order.ts',
        find: 'if (this.#left.has(',
        replace: 'if (!$ON && this.#left.has(',
      },
      {
        file: 'core/engine/dialects/responses/order.ts',
        find: 'if (before !== undefined && !field.startsWith',
        replace: 'if (!$ON && before !== undefined && !field.startsWith',
      },
    ],
  },
]
