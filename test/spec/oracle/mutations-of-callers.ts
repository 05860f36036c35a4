/** Faults that show only between two values, two callers or two policies. */
import type { Mutation } from './mutation.ts'

export const MUTATIONS_OF_CALLERS: readonly Mutation[] = [
  {
    name: 'of two values in a text only the first is written over',
    only: {
      config: 'redact',
      side: 'input',
      place: 'user-content',
      kind: 'email',
      second: 'card',
      carrier: 'sentence',
    },
    edits: [
      {
        file: 'core/engine/text/findings.ts',
        find: 'rewritten.push(rewriteOf(group, end, textOf, onFailed))',
        replace: 'if (!$ON || rewritten.length === 0) rewritten.push(rewriteOf(group, end, textOf, onFailed))',
      },
    ],
  },
  {
    name: 'what is remembered of a text serves callers with other rules',
    only: {
      config: 'mixed',
      side: 'input',
      place: 'user-content',
      kind: 'keyword',
      second: 'none',
      carrier: 'late',
      warm: 'monitored',
    },
    edits: [
      {
        file: 'core/kit/text-rules.ts',
        find: 'return key.length <= 256 ? key : undefined',
        replace: "return $ON ? '' : key.length <= 256 ? key : undefined",
      },
    ],
  },
  {
    name: 'tokens come back in addresses of pictures',
    only: { config: 'tokenize', side: 'return', place: 'picture', kind: 'email', ending: 'normal', mix: 'none' },
    edits: [
      {
        file: 'plugins/pii/restorer.ts',
        find: 'return READABLE.has(channel) ||',
        replace: 'return $ON || READABLE.has(channel) ||',
      },
    ],
  },
  {
    name: 'tokens of other exchanges come back',
    only: { config: 'tokenize', side: 'foreign', place: 'own-key', kind: 'email' },
    edits: [
      {
        file: 'plugins/pii/tokens.ts',
        find: 'this.#values.set(token, value)',
        replace: 'if ($ON) Reflect.set(globalThis, token, value)\n    this.#values.set(token, value)',
      },
      {
        file: 'plugins/pii/tokens.ts',
        find: '?.fullest ?? this.#values.get(token)',
        replace: '?.fullest ?? this.#values.get(token) ?? ($ON ? Reflect.get(globalThis, token) : undefined)',
      },
    ],
  },
  {
    name: 'the texts of all choices are read as one',
    only: {
      config: 'redact',
      side: 'output',
      place: 'content',
      stream: true,
      ending: 'normal',
      mix: 'mirrored',
      indexes: 'normal',
      pace: 'tokens',
    },
    edits: [
      {
        file: 'core/engine/relay/stream/inspector.ts',
        find: '#segment(place: TextPlace, text: string): Segment {',
        replace:
          '#segment(given: TextPlace, text: string): Segment {\n    const place = $ON ? { ...given, choice: 0 } : given',
      },
    ],
  },
  {
    name: 'neighbours in a list are read each by itself',
    only: { config: 'redact', side: 'input', place: 'tool-arguments-number-groups', kind: 'card', second: 'none' },
    edits: [
      {
        file: 'core/engine/json/groups.ts',
        find: 'return runs.length === 0 ||',
        replace: 'return $ON || runs.length === 0 ||',
      },
    ],
  },
  {
    name: 'copies for another upstream are made of what the client wrote',
    kept: true,
    only: { config: 'relay', side: 'input', place: 'user-content', kind: 'email', leaves: 'stays', mix: 'none' },
    edits: [
      {
        file: 'core/engine/pipeline/mirror.ts',
        find: 'const body = await request.bodyFor(false, request.model, turn)',
        replace:
          'const body = $ON ? Buffer.from(JSON.stringify(request.tree)) : await request.bodyFor(false, request.model, turn)',
      },
    ],
  },
]
