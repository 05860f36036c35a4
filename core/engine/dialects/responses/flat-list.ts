import type { Channel } from '../../contract/plugin.ts'
import type { Path } from '../../json/strict.ts'
import { ToldList } from '../told-list.ts'

/** Fields of a document whose JSON texts stay texts: calls are decoded when they are whole. */
export class FlatList extends ToldList {
  override addJsonText(channel: Channel, path: Path, text: unknown, role?: string): void {
    this.add(channel, path, text, role)
  }
}
