import type { Detector } from '../engine/detector.ts'

const kind = { level: 'CONFIDENTIAL', patterns: [], judge: () => 0 } as const

export const personName: Detector = {
  ...kind,
  type: 'person_name',
  title: 'Name of a person, with `names`',
  check: 'tagger trained on annotated texts; with `names: personal` only in a private context',
}

export const placeName: Detector = {
  ...kind,
  type: 'place',
  title: 'Name of a place, with `names: all`',
  check: 'tagger trained on annotated texts',
}

export const organisationName: Detector = {
  ...kind,
  type: 'organisation',
  title: 'Name of an organisation, with `names: all`',
  check: 'tagger trained on annotated texts',
}

export const NAME_KINDS: readonly Detector[] = [personName, placeName, organisationName]
