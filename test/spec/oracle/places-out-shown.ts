/** Members of a chat reply that some clients show as one text: the first half of a text in one, the second in another. */
import type { JsonObject } from './places-in.ts'
import type { OutPlace } from './places-out.ts'

/** The pieces of a text in two halves. */
export const halves = (pieces: readonly string[]): [string[], string[]] => {
  const border = Math.ceil(pieces.length / 2)
  return [pieces.slice(0, border), pieces.slice(border)]
}

type Form = (piece: string) => JsonObject
const part = (text: string): JsonObject => ({ type: 'text', text })
const refused = (refusal: string): JsonObject => ({ type: 'refusal', refusal })
const content: Form = (text) => ({ content: text })
const contentParts: Form = (text) => ({ content: [part(text)] })
const contentObject: Form = (text) => ({ content: part(text) })
const contentRefusal: Form = (text) => ({ content: [refused(text)] })
const refusal: Form = (text) => ({ refusal: text })
const refusalParts: Form = (text) => ({ refusal: [part(text)] })
const refusalTexts: Form = (text) => ({ refusal: [text] })
const refusalObject: Form = (text) => ({ refusal: refused(text) })

/** In a stream, one behind the other; in a whole reply, beside each other. */
const behind = (first: Form, second: Form): OutPlace => ({
  stream: (piece, at, pieces) => ({ delta: (at < halves(pieces)[0].length ? first : second)(piece) }),
  whole: (_text, pieces) => {
    const [a, b] = halves(pieces)
    return { delta: { content: null, ...first(a.join('')), ...second(b.join('')) } }
  },
})
/** Both in one event. */
const beside = (first: Form, second: Form): OutPlace => ({
  once: true,
  stream: (_text, _at, pieces) => {
    const [a, b] = halves(pieces)
    return { delta: { ...first(a.join('')), ...second(b.join('')) } }
  },
})
/** A list with a part of each kind, in one event and in a whole reply. */
const inOneList = (...makes: ((text: string) => JsonObject)[]): OutPlace => {
  const make = (pieces: readonly string[]) => ({
    delta: {
      content: pieces.map((piece, at) => (makes[((at * makes.length) / pieces.length) | 0] as typeof part)(piece)),
    },
  })
  return { once: true, stream: (_text, _at, pieces) => make(pieces), whole: (_text, pieces) => make(pieces) }
}

export const SHOWN_OUT: Readonly<Record<string, OutPlace>> = {
  'shown-content-refusal': behind(content, refusal),
  'shown-parts-refusal': behind(contentParts, refusal),
  'shown-object-refusal': behind(contentObject, refusal),
  'shown-content-refusal-parts': behind(content, refusalParts),
  'shown-content-refusal-texts': behind(content, refusalTexts),
  'shown-parts-refusal-parts': behind(contentParts, refusalParts),
  'shown-content-refusal-object': behind(content, refusalObject),
  // In a whole reply, whoever shows both shows the content first.
  'shown-refusal-content': { stream: behind(refusal, content).stream as NonNullable<OutPlace['stream']> },
  'shown-refusal-parts': { stream: behind(refusal, contentParts).stream as NonNullable<OutPlace['stream']> },
  'shown-refusal-parts-content': { stream: behind(refusalParts, content).stream as NonNullable<OutPlace['stream']> },
  // A whole reply has both in one list, as below.
  'shown-part-refusal-part': { stream: behind(contentParts, contentRefusal).stream as NonNullable<OutPlace['stream']> },
  'shown-refusal-part-part': { stream: behind(contentRefusal, contentParts).stream as NonNullable<OutPlace['stream']> },
  'shown-list': inOneList(part, refused),
  'shown-list-refusal-first': inOneList(refused, part),
  'shown-list-texts': inOneList(part),
  'shown-list-refusals': inOneList(refused),
  'shown-event': beside(content, refusal),
  'shown-event-refusal-first': {
    once: true,
    stream: (_text, _at, pieces) => {
      const [a, b] = halves(pieces)
      return { delta: { refusal: b.join(''), content: a.join('') } }
    },
  },
  'shown-event-parts': beside(contentParts, refusalParts),
  // Both in one event are two texts.
  'reasoning-both-names': {
    stream: (text, at, pieces) => ({
      delta: at < halves(pieces)[0].length ? { reasoning: text } : { reasoning_content: text },
    }),
  },
  'reasoning-beside-content': {
    stream: (text) => ({ delta: { content: text, reasoning_content: text } }),
    whole: (text) => ({ delta: { content: text, reasoning_content: text } }),
  },
  // Less of it than makes a value.
  'reasoning-before-content': {
    stream: (text, at, pieces) => ({
      delta: { ...(at === 0 && { reasoning_content: pieces.join('').slice(0, 8) }), content: text },
    }),
    whole: (text) => ({ delta: { reasoning_content: text.slice(0, 8), content: text } }),
  },
}
