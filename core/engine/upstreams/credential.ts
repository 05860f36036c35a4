/** Where an upstream's key comes from, if it may change while the gateway runs. */
import type { UpstreamConfig } from '../config/types.ts'
import { FreshFiles } from '../util/fresh-files.ts'
import { reasonOf } from '../util/system-error.ts'
import { readTextFile } from '../util/text-file.ts'
import { KeyCommand } from './key-command.ts'
import { type Credential, isKey, type OnKeyFault } from './key-source.ts'

/** Undefined for an upstream with a fixed key, or without one. */
export function openCredential(name: string, config: UpstreamConfig, onFault: OnKeyFault): Credential | undefined {
  const { key_file: file, key_command: command } = config
  if (file !== undefined) return new KeyFile(file, onFault)
  return command === undefined ? undefined : new KeyCommand(name, command, onFault)
}

/** Keeps the last good key while the file is missing or broken. */
class KeyFile implements Credential {
  readonly #file: FreshFiles<string>

  constructor(file: string, onFault: OnKeyFault) {
    const fault = (error: unknown) => onFault(error instanceof KeyFileError ? 'invalid' : 'unreadable', true)
    this.#file = new FreshFiles([file], () => readKeyFile(file), fault)
  }

  get(): string {
    return this.#file.value
  }

  close(): void {}
}

class KeyFileError extends Error {}

/** Throws an error that names the file and never its content. */
export function readKeyFile(file: string): string {
  let text: string
  try {
    text = readTextFile(file).trim()
  } catch (error) {
    throw new Error(`${file} cannot be read: ${reasonOf(error) ?? (error as NodeJS.ErrnoException).code}`)
  }
  if (isKey(text)) return text
  throw new KeyFileError(
    text === '' ? `${file} is empty: it must hold the key` : `${file} must hold one key: visible ASCII on one line`,
  )
}
