import type { Channel, Json } from '../../contract/plugin.ts'
import { type Field, FieldList, isObject } from '../../json/fields.ts'
import { Spellings } from '../../json/spellings.ts'
import { hasDuplicates, type JsonObject, type Path } from '../../json/strict.ts'
import { LazyMap, LazySet } from '../../util/lazy.ts'
import { allSteps, Pace, type Steps } from '../../util/steps.ts'
import { Many } from '../many.ts'
import type { RepeatList, Word } from '../repeat-list.ts'
import { Repeats } from '../repeats.ts'
import type { Growth, Over } from '../replaced.ts'
import { SaidText } from '../said-turns.ts'
import { type Known, members } from '../walk.ts'
import { CallWalker } from './calls.ts'
import { CHAT, type ChoiceForm } from './choice-form.ts'
import { CleanTexts } from './clean-texts.ts'
import { type ChatEvent, GROWING, indexOf, nameOf } from './event.ts'
import { type ChatEventTexts, type Found, NOTHING, nothingFound } from './event-texts.ts'
import { Families } from './families.ts'
import { AUDIO, BODY, CHAT_CHOICE, CHOICE, isExempt, PICTURES, SPOKEN } from './known-members.ts'
import { Lists } from './lists.ts'
import { isMarker, MARKERS, SEALS } from './markers.ts'
import { ENVELOPE, saidMessage } from './reply.ts'
import { memberOf, SAID, takesTurns } from './said-text.ts'
import { Words } from './words.ts'

const NO_TREE: JsonObject = Object.freeze({}) as JsonObject
const NO_SOURCE = new Spellings('')
/** Texts of a large event to look at before other exchanges run. */
const STEP = 16 * 1024

const ROLE = 'assistant'
type Walk = (list: FieldList) => void

/**
 * The only code that knows where text lives in a stream event. Any string that a client may concatenate over events is
 * one growing text, whether its member is known or not. List elements are identified by their `index`, if any. One
 * walker serves all events of a stream: a value that repeats and was clean once is not offered again.
 */
export class EventWalker {
  readonly #uninspected = new LazyMap<string, number>()
  readonly #clean = new CleanTexts()
  readonly #spoken = new LazySet<number>()
  readonly #repeats = new Repeats()
  readonly #words = new Words()
  readonly #said = new SaidText()
  readonly #families = new Families()
  readonly #lists = new Lists()
  /** The list element whose texts are read, by its index, or by itself if it has none. */
  #element: string | undefined = undefined
  #elements = 0
  /** Of the event that is walked. */
  #found: Found = NOTHING
  #tree: JsonObject = NO_TREE
  #source = NO_SOURCE
  /** Index of the choice being walked. */
  #choice = 0
  /** Members of a choice. */
  readonly #known: Known
  readonly #many = new Many()
  readonly #calls = new CallWalker({
    key: (channel, path, key) => this.#collect((list) => list.add(channel, path, key, ROLE, 'key')),
    number: (path, value) => this.#collect((list) => list.addAll('tool_arguments', path, value, ROLE)),
    word: (name, value, fits) => this.#word(name, value, fits),
    id: (call, id) => this.#families.called(`${this.#choice}\0${call}`, id),
    add: (piece) => {
      this.#many.add()
      if (piece !== undefined) this.#found.tools.push({ choice: this.#choice, ...piece })
    },
  })
  /** What is left to walk of a large event, in order. */
  #later: Steps<void>[] | undefined = undefined

  constructor({ logprobs }: ChoiceForm = CHAT) {
    this.#known = logprobs === CHAT.logprobs ? CHAT_CHOICE : { ...CHOICE, logprobs }
  }

  /** Content that cannot be inspected; audio counts once per choice. */
  get uninspected(): ReadonlyMap<string, number> {
    return this.#uninspected.all
  }

  walk(event: ChatEvent): ChatEventTexts {
    // Send our own reading of an ambiguous event.
    if (hasDuplicates(event.payload, event.tree)) event.payload = JSON.stringify(event.tree)
    this.#begin(event)
    return this.#takeTexts()
  }

  /** Like `walk`, for a large event that repeats no member. */
  *walkInSteps(event: ChatEvent): Steps<ChatEventTexts> {
    const later: Steps<void>[] = []
    this.#later = later
    this.#begin(event)
    this.#later = undefined
    for (const steps of later) yield* steps
    return this.#takeTexts()
  }

  /** Nothing of the event is kept until the next one. */
  #takeTexts(): ChatEventTexts {
    const found = this.#found
    if (this.#families.turned) found.departs = true
    this.#families.turned = false
    this.#found = NOTHING
    this.#tree = NO_TREE
    this.#source = NO_SOURCE
    return found
  }

  #begin(event: ChatEvent): void {
    this.#many.restart()
    this.#found = nothingFound()
    const { tree } = event
    this.#tree = tree
    this.#source = new Spellings(event.payload)
    for (const key in tree) {
      const value = tree[key] as Json
      if (key === 'choices' && Array.isArray(value)) this.#choices(value)
      else if (!isExempt(ENVELOPE, key, value)) this.#member('event', [], key, value, ENVELOPE)
      else if (typeof value === 'string' && !this.#words.repeats(key, value))
        this.#pass('event', { path: [key], text: value, over: ENVELOPE[key]?.over })
    }
  }

  /** Marks a complete text as not rewritten; it need not be offered again. */
  markClean(field: Field): void {
    this.#clean.add(field)
  }

  /** A member outside of the answer's content. Most of them repeat in every event. */
  #member(scope: string, path: Path, key: string, value: Json, known: Known): void {
    const walk = (list: FieldList) => members(list, path, { [key]: value }, known)
    if (known[key]?.over === 'apart') return this.#collect(walk)
    const name = Object.hasOwn(known, key) ? undefined : key
    const list = this.#listOf(undefined)
    if (name !== undefined) list.cover(true) // counted as pieces
    if (this.#later !== undefined) return void this.#later.push(this.#growInSteps(list, walk, scope, name))
    walk(list)
    this.#growOrRepeat(list, scope, name)
  }

  /** A member of a choice that events repeat. */
  #repeatable(path: Path, key: string, value: Json, known: Known): void {
    if (!isExempt(known, key, value)) this.#member('choice', path, key, value, known)
    else if (typeof value === 'string')
      this.#pass('choice', { path: [...path, key], text: value, over: known[key]?.over })
  }

  /** A word of a known member, which needs no inspection until its member turns out to grow. */
  #pass(scope: string, { path, text, over }: Word): void {
    const name = `${scope}:${nameOf(this.#tree, path)}`
    const growth = this.#words.pass(name, path, text, over)
    if (growth !== undefined) this.#growStill('other', this.#choice, name, path, text, growth)
  }

  *#growInSteps(list: RepeatList, walk: Walk, scope: string, key: string | undefined): Steps<void> {
    yield* list.inSteps(() => walk(list))
    this.#growOrRepeat(list, scope, key)
  }

  /**
   * The texts of a member grow, unless it repeats in every event.
   *
   * @param key of an unknown member; it grows from the beginning
   */
  #growOrRepeat(list: RepeatList, scope: string, key: string | undefined): void {
    this.#count(list)
    const texts = list.fields.filter(({ place }) => place === 'value')
    for (const field of list.fields) {
      this.#many.add()
      if (field.place !== 'value') this.#keep(field)
    }
    if (key === undefined) for (const field of texts) this.#replace(field, scope)
    if (key === undefined) for (const word of list.words) this.#pass(scope, word)
    if (key === undefined || texts.length === 0) return
    const said = texts.map(({ text }) => text).join('\0')
    const state = this.#repeats.note(`${list.choice}\0${scope}\0${key}`, said)
    if (state === 'departs') this.#found.departs = this.#found.begins = true
    for (const field of texts) {
      if (state === 'repeats') this.#keep(field)
      else {
        const name = `${scope}:${nameOf(this.#tree, field.path)}`
        this.#growStill(field.channel, list.choice, name, field.path, field.text)
        if (state === 'settles') this.#found.settled.push({ choice: list.choice, field: name })
      }
    }
  }

  /** A text of a known member, whole until an event says something else in its place. */
  #replace(field: Field, scope: string): void {
    const { channel, choice, path, text } = field
    const name = `${scope}:${nameOf(this.#tree, path)}`
    const growth = this.#words.note(name, path, text)
    if (growth === undefined) this.#keep(field)
    else this.#growStill(channel, choice, name, path, text, growth)
  }

  /** Each of its values is also read by itself. @param growth of a text that seemed whole */
  #growStill(channel: Channel, choice: number, field: string, path: Path, text: string, growth?: Growth): void {
    if (growth !== undefined) this.#found.departs = true
    if (growth?.begins === true) this.#found.begins = true
    this.#found.pieces.push({ channel, choice, field, path, text, still: true, ...growth, part: this.#alone() })
  }

  /** Texts that are complete by themselves: offered once, and again when they change. */
  #collect(walk: (list: FieldList) => void, role?: string): void {
    const list = this.#listOf(role)
    if (this.#later !== undefined) return void this.#later.push(this.#keepInSteps(list, walk))
    walk(list)
    this.#count(list)
    for (const field of list.fields) this.#keep(field)
  }

  *#keepInSteps(list: FieldList, walk: (list: FieldList) => void): Steps<void> {
    yield* list.inSteps(() => walk(list))
    this.#count(list)
    const pace = new Pace(STEP)
    for (const field of list.fields) {
      this.#keep(field)
      if (pace.spent(1)) yield
    }
  }

  #listOf(role: string | undefined): RepeatList {
    const list = this.#many.list(this.#source)
    list.choice = this.#choice
    list.role = role
    return list
  }

  #count({ uninspected }: FieldList): void {
    for (const [kind, count] of uninspected) this.#uninspected.set(kind, (this.#uninspected.get(kind) ?? 0) + count)
  }

  #keep(field: Field): void {
    this.#many.addTexts(1)
    if (this.#clean.has(field)) return
    this.#found.fixed ??= new FieldList(this.#source)
    this.#found.fixed.fields.push(field)
  }

  /** @throws RangeError if two have the same index: some clients read only the first, others both */
  #choices(choices: readonly Json[]): void {
    const indexes = choices.length > 1 ? new Set<number>() : undefined
    for (let i = 0; i < choices.length; i++) {
      const choice = choices[i] as Json
      const path = ['choices', i]
      if (!isObject(choice)) {
        this.#grow('other', 'event:choices', path, choice, true)
        continue
      }
      this.#choice = indexOf(choice, i)
      if (indexes?.has(this.#choice)) throw new RangeError('Two choices with the same index.')
      indexes?.add(this.#choice)
      for (const key in choice) {
        const value = choice[key] as Json
        if (key === 'delta' && isObject(value)) this.#body('', value, [...path, key])
        else if (key === 'message' && isObject(value)) this.#body('message.', value, [...path, key])
        else if ((key === 'text' || key === 'delta' || key === 'message') && value !== null)
          this.#grow('content', `choice:${key}`, [...path, key], value)
        else this.#repeatable(path, key, value, this.#known)
      }
      this.#choice = 0
    }
  }

  #body(scope: string, body: JsonObject, path: Path): void {
    this.#families.begin()
    const isAll = this.#tellsAll(scope, body, path)
    for (const key in body) {
      const value = body[key] as Json
      const channel = GROWING[key]
      if (value === null && (channel !== undefined || BODY.has(key))) continue
      const below = [...path, key]
      // Clients show it after the content of the same event.
      if (key === 'refusal' || (isAll && key === 'content')) continue
      if (key === 'role') this.#repeatable(path, key, value, SPOKEN)
      else if (channel !== undefined) {
        const name = this.#families.nameOf(`${this.#choice}\0${scope}`, key, channel, value)
        this.#grow(channel, scope + name, below, value)
      } else if (key === 'tool_calls' && Array.isArray(value)) this.#calls.list(scope, value, below)
      else if (key === 'function_call' && isObject(value)) this.#calls.called(value, `${scope}${key}`, below)
      else if (key === 'audio' && isObject(value)) this.#audio(scope, value, below)
      else if (key === 'images') this.#member(`choice:${scope}`, path, key, value, PICTURES)
      else if (key === 'annotations') this.#grow('annotation', scope + key, below, value, true)
      else {
        this.#collect((list) => list.add('other', below, key, ROLE, 'key'))
        this.#element = this.#alone()
        // Clients that replace a list or an object by the next one need it whole.
        this.#grow('other', scope + key, below, value, typeof value === 'object')
        this.#element = undefined
      }
    }
    const { refusal = null } = body
    if (refusal !== null && !isAll) this.#grow('refusal', `${scope}refusal`, [...path, 'refusal'], refusal)
  }

  /** Content and refusal that take turns within one event are all of an answer, and are read as in a buffered reply. */
  #tellsAll(scope: string, body: JsonObject, path: Path): boolean {
    if (!takesTurns(body) || !this.#said.tellsAll(`${this.#choice}\0${scope}content`)) return false
    const steps = this.#allInSteps(this.#listOf(ROLE), body, path)
    if (this.#later === undefined) allSteps(steps)
    else this.#later.push(steps)
    return true
  }

  *#allInSteps(list: FieldList, { content = null, refusal = null }: JsonObject, path: Path): Steps<void> {
    yield* list.inSteps(() => saidMessage(list, path, { content, refusal }))
    this.#count(list)
    this.#many.addTexts(list.fields.length)
    this.#found.fixed ??= new FieldList(this.#source)
    this.#found.fixed.append(list)
  }

  /** The name of a part that nothing else extends. */
  #alone(): string {
    return `#${this.#elements++}`
  }

  /** The text that a piece extends, and its part. */
  #textOf(field: string): { field: string; part: string | undefined } {
    const said = SAID.get(field)
    if (said === undefined) return { field, part: this.#element }
    const { part, text } = said
    const turns = this.#said.turnsTo(part, `${this.#choice}\0${text}`)
    // The text of an event of known spelling extends the part before it.
    if (turns) this.#found.departs = true
    if (this.#element === undefined) return { field: text, part: turns ? part : undefined }
    return { field: text, part: part === 'content' ? this.#element : `${part}.${this.#element}` }
  }

  /** @param still the text is sent with the rest of its event, never in a part */
  #grow(channel: Channel, field: string, path: Path, value: Json, still = false, behind?: string): void {
    this.#many.add()
    const choice = this.#choice
    if (typeof value === 'string') {
      if (value === '') return
      const listed = this.#lists.textOf(choice, field, value, behind)
      const text = listed === undefined ? this.#textOf(field) : { ...listed, part: this.#element }
      const more = { ...(still ? { still } : {}), ...(behind === undefined ? {} : { behind }) }
      this.#found.pieces.push({ channel, choice, path, text: value, ...more, ...text })
    } else if (typeof value === 'number') {
      const said = channel === 'content' || channel === 'reasoning' || channel === 'refusal'
      if (!said) this.#collect((list) => list.addAll('other', path, value, ROLE))
      else {
        const text = Number.isSafeInteger(value) ? String(value) : (this.#source.at(path) ?? String(value))
        this.#found.pieces.push({ channel, choice, ...this.#textOf(field), path, text, still: true })
      }
    } else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const inner = value[i] as Json
        const index = isObject(inner) ? indexOf(inner, -1) : -1
        const [element, outer] = [this.#element, this.#lists.enter(channel, `${choice}\0${field}`, index)]
        this.#element = index < 0 ? this.#alone() : String(index)
        this.#grow(channel, field, [...path, i], inner, still)
        this.#element = element
        this.#lists.leave(outer)
      }
    } else if (value !== null && typeof value === 'object') {
      for (const key in value) {
        const inner = value[key] as Json
        const name = memberOf(field, key, channel)
        const fits = isMarker(key, inner)
        const growth = MARKERS.has(key)
          ? this.#word(name, inner, fits, SEALS.has(key) ? 'media' : undefined)
          : undefined
        const below = [...path, key]
        if (fits && SEALS.has(key)) this.#collect((list) => list.pass(below, inner as string, 'media'))
        if (fits && growth === undefined) continue
        this.#collect((list) => list.add(channel, below, key, ROLE, 'key'))
        this.#grow(GROWING[key] ?? channel, name, below, inner, still || growth !== undefined, growth?.behind)
      }
    }
  }

  /** A word within a text of the answer; undefined while it needs no inspection. */
  #word(name: string, value: Json, fits: boolean, over?: Over): Growth | undefined {
    if (typeof value !== 'string') return undefined
    const growth = this.#words.begin(`${this.#choice}\0${name}`, value, fits, over)
    if (growth?.begins === true) this.#found.begins = true
    return growth
  }

  #audio(scope: string, audio: JsonObject, path: Path): void {
    this.#spoken.add(this.#choice)
    this.#uninspected.set('audio', this.#spoken.all.size)
    for (const key in audio) {
      const value = audio[key] as Json
      const below = [...path, key]
      const [name, isKnown, fits] = [`${scope}audio.${key}`, Object.hasOwn(AUDIO, key), isExempt(AUDIO, key, value)]
      const growth = isKnown ? this.#word(name, value, fits, AUDIO[key]?.over) : undefined
      if (fits && growth === undefined) continue
      const isUnknown = key !== 'transcript' && !isKnown
      if (isUnknown) this.#collect((list) => list.add('other', below, key, ROLE, 'key'))
      this.#element = key === 'transcript' ? undefined : this.#alone()
      this.#grow(key === 'transcript' ? 'transcript' : 'other', name, below, value, isKnown, growth?.behind)
      this.#element = undefined
    }
  }
}
