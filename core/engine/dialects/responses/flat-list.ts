import type { Channel } from '../../contract/plugin.ts'
import { FieldList } from '../../json/fields.ts'
import type { Path } from '../../json/strict.ts'

/** Fields of a document whose JSON texts stay texts: calls are decoded when they are whole. */
export class FlatList extends FieldList {
  override addJsonText(channel: Channel, path: Path, text: unknown, role?: string): void {
    this.add(channel, path, text, role)
  }
}
