/** Explains operating system errors to operators: what, where, why, and what to do. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const REASONS: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  EACCES: ['permission denied', 'Run as a user who may, change the owner or the mode, or name another place'],
  EPERM: ['not permitted', 'Run as a user who may, change the owner or the mode, or name another place'],
  EROFS: ['the file system is read-only', 'Name a place that can be written'],
  ENOSPC: ['the disk is full', 'Make room, or name another place'],
  EDQUOT: ['the quota is used up', 'Make room, or name another place'],
  ENOENT: ['there is no such file', 'Check the path'],
  ENOTDIR: ['a part of the path is a file', 'Check the path'],
  EISDIR: ['it is a folder', 'Name a file'],
  ENOTSUP: ['it is no ordinary file', 'Name a file'],
  EFBIG: ['it is too large', 'Name a smaller file'],
  EEXIST: ['it exists already', 'Name another place'],
  ELOOP: ['too many symbolic links', 'Check the path'],
  ENAMETOOLONG: ['the path is too long', 'Name another place'],
  EMFILE: ['too many open files', 'Raise `ulimit -n` (systemd: LimitNOFILE, containers: --ulimit nofile)'],
  ENFILE: ['too many open files on this machine', 'Raise fs.file-max'],
}

const ACTS: Readonly<Record<string, string>> = {
  mkdir: 'be made',
  open: 'be opened',
  stat: 'be looked at',
  lstat: 'be looked at',
  access: 'be used',
  scandir: 'be listed',
  chmod: 'be given its mode',
  link: 'be written',
  rename: 'be renamed',
  unlink: 'be removed',
  rm: 'be removed',
  copyfile: 'be copied',
  write: 'be written',
  fsync: 'be written',
}

export const reasonOf = (error: unknown): string | undefined =>
  REASONS[(error as NodeJS.ErrnoException | undefined)?.code ?? '']?.[0]

/** Undefined if it is not a system error or has no path. `path` replaces a meaningless name. */
export function explainSystem(error: unknown, path?: string): string | undefined {
  const { code, syscall = '', path: own } = (error ?? {}) as NodeJS.ErrnoException
  const [reason, remedy] = REASONS[code ?? ''] ?? []
  const place = path ?? own
  if (reason === undefined || place === undefined) return undefined
  if (code === 'EEXIST' && syscall === 'mkdir') return `${place} is a file, not a folder (${code}). ${remedy}.`
  return `${place} cannot ${ACTS[syscall] ?? 'be used'}: ${reason} (${code}). ${remedy}.`
}

/** Whether a file or folder exists. Throws if that is unknown. */
export const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

/** Why a folder, which may not exist yet, cannot be written; undefined if it can. */
export function writeProblem(folder: string): string | undefined {
  let there = folder
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there)
  try {
    if (!statSync(there).isDirectory()) return `${there} is a file, not a folder.`
    accessSync(there, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return explainSystem(error)
  }
}
