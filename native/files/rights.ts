// Files that other users of the device have no business with: read, and kept from them.

import { closeSync, fchmodSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { oneLine } from '../../machines/schema/one-line.ts'

const OWN = 0o600
const DEFAULT = 0o666 // nothing of this is a program
const RIGHTS = 0o777
const ROOT = 0 // may do anything anyway

/**
 * What is wrong with the rights of an open file, once they were mended as far as that goes; undefined: nothing. why:
 * the end of a sentence.
 */
export interface Exposure {
  readonly why: string
  readonly isMended: boolean
}

/** Sees to the rights of an open file. */
export type Guard = (file: number) => Exposure | undefined

/** A file as it was read. exposure: what was wrong with its rights; undefined: nothing. */
export interface Guarded {
  readonly text: string
  readonly exposure: Exposure | undefined
}

/**
 * Reads a file and sees to its rights, whatever is in it. undefined: there is no such file. An error: it cannot be
 * read.
 */
export const readGuarded = (path: string, guard: Guard): Guarded | Error | undefined => {
  try {
    const file = openSync(path, 'r')
    try {
      return { text: readFileSync(file, 'utf8'), exposure: guard(file) }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : (error as Error)
  }
}

/** Only the service may read it, and it belongs to nobody else: for secrets. */
export const keepPrivate: Guard = (file) => {
  const { mode, uid } = fstatSync(file)
  const complaint = mended(file, mode, { rights: 0o077, what: 'read' })
  if (isOfAnother(uid)) {
    const owner = `the file belongs to another user of this device (uid ${uid})`
    return { why: complaint ? `${owner}, and ${complaint.why}` : owner, isMended: false }
  }
  return complaint
}

/**
 * Only its owner may write it, and its readers stay as they were: for what is no secret, and may have been put there by
 * people.
 */
export const keepFromWriting: Guard = (file) => mended(file, fstatSync(file).mode, { rights: 0o022, what: 'write' })

const isOfAnother = (uid: number): boolean => uid !== process.geteuid?.() && uid !== ROOT

/** What others may not have. */
interface Withheld {
  readonly rights: number
  readonly what: string
}

/**
 * What was wrong before. A file system without rights takes a change and keeps nothing of it, so it is looked at again.
 */
const mended = (file: number, before: number, { rights, what }: Withheld): Exposure | undefined => {
  if ((before & rights) === 0) return undefined
  const was = `others could ${what} it (its rights were ${octal(before)}`
  try {
    fchmodSync(file, (before & DEFAULT & ~rights) | OWN)
  } catch (error) {
    return { why: `${was}, and cannot be changed: ${(error as Error).message})`, isMended: false }
  }
  const { mode } = fstatSync(file)
  return (mode & rights) === 0
    ? { why: `${was}, and are ${octal(mode)} now)`, isMended: true }
    : { why: `${was}, and stay ${octal(mode)}: its file system keeps no rights)`, isMended: false }
}

const octal = (mode: number): string => (mode & RIGHTS).toString(8)

/**
 * What people have to do where the rights could not be mended; nothing where they were. A sentence, and a space behind
 * it.
 */
export const remedyOf = (path: string, { isMended }: Exposure): string =>
  isMended
    ? ''
    : `${oneLine`
      Give the file to the user of the service, and to nobody else, as administrator of this device: chown
      ${process.geteuid?.() ?? 'USER'} ${path} && chmod 600 ${path}; where the file system keeps no rights, the data
      directory has to be on another one.
    `} `
