import type { Channel } from '../../contract/plugin.ts'
import type { Path } from '../../json/strict.ts'
import { RepeatList } from '../repeat-list.ts'

/** Fields of a document whose JSON texts stay texts: calls are decoded when they are whole. */
export class FlatList extends RepeatList {
  override addJsonText(channel: Channel, path: Path, text: unknown, role?: string): void {
    this.add(channel, path, text, role)
  }
}
