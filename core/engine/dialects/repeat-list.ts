import { FieldList } from '../json/fields.ts'
import type { Path } from '../json/strict.ts'
import type { Over } from './replaced.ts'

/** A word that needs no inspection, until its member says something else. */
export interface Word {
  readonly path: Path
  readonly text: string
  readonly over: Over
}

/** The fields of a value that events may tell again, and its words. */
export class RepeatList extends FieldList {
  readonly words: Word[] = []

  override pass(path: Path, text: string, over?: Over): void {
    super.pass(path, text, over)
    if (text !== '' && over !== 'apart') this.words.push({ path, text, over })
  }
}
