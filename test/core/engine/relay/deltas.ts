/** What the tests of streams of chat completions say in few words. */
import { delta } from '../../../../core/testing/provider.ts'
import type { Plugin, StreamRig } from '../../../helpers/core.ts'

export const text = (content: string, index = 0) => delta({ content }, index)
export const finish = (index = 0, reason = 'stop') => delta({}, index, reason)
export const json = (event: object) => JSON.stringify(event)
export const looks: Plugin = { lookbehind: 0, detect: () => {} }

/** Choices that ended, in order. */
export const finishes = (rig: StreamRig) =>
  rig.chunks
    .flatMap(({ choices }) => choices ?? [])
    .flatMap(({ index, finish_reason }) => (finish_reason ? [index] : []))
