import type { Direction, Exchange, TextView } from 'governed-gateway'
import { matchesGlob } from 'governed-gateway/kit'
import { type Labels, readLabels } from './label-file.ts'
import { LabelTexts } from './label-texts.ts'

/** The label files of a config, as they were read last. */
export class AppliedLabels {
  readonly #wanted: readonly string[]
  readonly #folder: string | undefined
  #labels: Labels
  #texts: LabelTexts

  /** @throws `GW_CONFIG` if a file cannot be used */
  constructor(wanted: readonly string[], folder: string | undefined) {
    this.#wanted = wanted
    this.#folder = folder
    this.#labels = readLabels(wanted, folder)
    this.#texts = new LabelTexts(this.#labels.list)
  }

  /** Changes with the files. */
  get digest(): string {
    return this.#labels.digest
  }

  /** Reads the files again. A file that cannot be used throws, and everything stays as it was. */
  read(): void {
    const labels = readLabels(this.#wanted, this.#folder)
    if (labels.digest === this.#labels.digest) return
    this.#texts = new LabelTexts(labels.list)
    this.#labels = labels
  }

  /** Reports words of labels in a text. */
  report(view: TextView): void {
    // A pair over two messages would be no finding of either.
    if (view.reading === 'border' || !this.#texts.hasWords) return
    for (const { label, start, end } of this.#texts.find(view)) {
      const one = this.#labels.list[label]
      if (one !== undefined) view.report({ type: one.name, start, end, level: one.label })
    }
  }

  /** Raises the label of a request or reply by what all plugins found. */
  raise(x: Exchange, direction: Direction): void {
    for (const found of x.findings) {
      if (found.direction !== direction) continue
      const name = `${found.plugin}/${found.type}`
      for (const { name: rule, label, findings } of this.#labels.list) {
        if (findings.some((glob) => matchesGlob(glob, name))) x.raise(label, `classification/${rule}`, found)
      }
    }
  }
}
