import type { WindowReader } from './keywords.ts'

/** What comes before one of these is asked for, what follows only describes it: `the number of the card on the order`. */
const OF =
  /[ '’](?:of|on|for|in|from|at|so|that|which|to|with|von|für|auf|im|zu|damit|de|du|des|sur|pour|afin|en|para|do|da|di|del|della|per|su|van|voor|op)[ \n]/giu
/** Asks for an amount. */
const COUNTS =
  /(?:^|[^\p{L}])(?:how (?:many|much|long|far|often)|price|cost|wie ?viele?|wie lange|combien|cu[áa]nt[oa]s?|quant[oiae]s?|hoeveel)(?!\p{L})[^,.;:?]*$/iu
/** Asks for something. */
const ASKS =
  /[?？؟]|(?<!\p{L})(?:your|please|pls|enter|provide|tell|give|need|share|confirm|specify|supply|ihre?[nrms]?|deine?[nrms]?|bitte|votre|vos|veuillez|ton|su|sus|suo|sua|tuo|tua|seu|uw|jouw|graag|din|ditt|dit|podaj|proszę|twój|ваш|укажите|введите|请|您|あなた|입력)(?!\p{Ll})/iu
/** Asks for a reason or a way. */
const EXPLAINS =
  /^[^\p{L}]*(?:why|how (?:do|does|did|can|could|would|should|is|are|to)|warum|wie|pourquoi|comment|por qué|cómo|perché|come)(?!\p{L})/iu
/** The name ends the text: `My SSN is`, `- SSN:`. */
const ENDS = /^[^\p{L}\p{N}]*(?:(?:is|ist|est|es|è|é|number|no|nr)[^\p{L}\p{N}]*)?$/iu
const LONGEST_LABEL = 40
/** A few words around a value; no formula, no line of a log. */
const PLAIN = /^[^=×<>{}*\n]*$/
const MOST_WORDS = 10

/** Whether a text may be the answer to a question. */
export const mayAnswer = (text: string): boolean => {
  const plain = text.trim()
  return PLAIN.test(plain) && plain.split(/\s+/, MOST_WORDS + 1).length <= MOST_WORDS
}

/** `Tell me the text`, `call me Alex`, `an iPhone`, `my medical records`, `Call the tool`: no number is asked for. */
const NO_NUMBER = /(?<!\p{L})(?:text|iphone|records|call me|(?:the|this|that|a) call)$|^[^\p{L}]*call$/iu

/** With the name before it, these are words for something else. */
const COMPOUND =
  /^[ -](?:counts?|formats?|lengths?|types?|models?|photos?|bills?|limits?|balance|plans?|apps?|cases?|holders?|certificates?|rules?|regex|validation)(?!\p{L})/iu

/**
 * A question up to the name of the value that it asks for; '' if it names none, or another number.
 *
 * @param left reads the words of the question
 * @param other the group of words for other numbers
 */
export function askedIn(text: string, units: Uint16Array, left: WindowReader, other: number): string {
  let end = -1
  for (const { index } of text.matchAll(OF)) {
    left.read(units, 0, index)
    end = left.lastEnd(other)
    if (end >= 0) break
    // `For the order, I need …`
    if (left.end(other) >= 0 && !/[,;:]/.test(text.slice(index))) return ''
  }
  if (end < 0) {
    left.read(units, 0, text.length)
    end = left.lastEnd(other)
  }
  const isLabel = text.length <= LONGEST_LABEL && !/[=<>{}[\]]/.test(text) && ENDS.test(text.slice(Math.max(0, end)))
  if (end < 0 || !(isLabel || ASKS.test(text)) || EXPLAINS.test(text)) return ''
  const asked = text.slice(0, end)
  return COMPOUND.test(text.slice(end)) || COUNTS.test(asked) || NO_NUMBER.test(asked) ? '' : asked
}
