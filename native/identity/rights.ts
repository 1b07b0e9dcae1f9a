// Who may read the file of the identity: the service, and nobody else.
import { fchmodSync, fstatSync } from 'node:fs'
import type { Fault } from '../../machines/errors/fault.ts'

const OWN_ALONE = 0o600
const OF_OTHERS = 0o077
const RIGHTS = 0o777
const ROOT = 0 // may read everything anyway

/** What is wrong with the rights of an open file, once they were mended as far as that goes; undefined: nothing. */
export interface Exposure {
  readonly why: string
  readonly isMended: boolean
}

/** Sees to it that only the service may read an open file. */
export const keepPrivate = (file: number): Exposure | undefined => {
  const { mode, uid } = fstatSync(file)
  const complaint = mendedMode(file, mode)
  if (isOfAnother(uid)) {
    const owner = `the file belongs to another user of this device (uid ${uid})`
    return { why: complaint ? `${owner}, and ${complaint.why}` : owner, isMended: false }
  }
  return complaint
}

const isOfAnother = (uid: number): boolean => uid !== process.geteuid?.() && uid !== ROOT

/** What was wrong before. A file system without rights takes a change and keeps nothing of it, so it is looked at again. */
const mendedMode = (file: number, before: number): Exposure | undefined => {
  if ((before & OF_OTHERS) === 0) return undefined
  const was = `others could read it (its rights were ${octal(before)}`
  try {
    fchmodSync(file, OWN_ALONE)
  } catch (error) {
    return { why: `${was}, and cannot be changed: ${(error as Error).message})`, isMended: false }
  }
  const { mode } = fstatSync(file)
  return (mode & OF_OTHERS) === 0
    ? { why: `${was}, and are ${octal(mode)} now)`, isMended: true }
    : { why: `${was}, and stay ${octal(mode)}: its file system keeps no rights)`, isMended: false }
}

const octal = (mode: number): string => (mode & RIGHTS).toString(8)

/** For the error history. */
export const exposed = (path: string, { why, isMended }: Exposure): Fault => ({
  code: 'identity.exposed',
  detail: `the identity of this device in ${path} was not for the service alone: ${why}. Whoever has read it can pass for this device with those that trust it. ${isMended ? '' : `${makePrivate(path)} `}${IF_READ}`,
})

const makePrivate = (path: string): string =>
  `Give the file to the user of the service, and to nobody else, as administrator of this device: chown ${process.geteuid?.() ?? 'USER'} ${path} && chmod 600 ${path}; where the file system keeps no rights, the data directory has to be on another one.`

const IF_READ =
  'If nobody else uses this device, and no copy was made that others can read, nothing more is to be done. Else give it another identity: stop the service, remove the file, start it again, take the old entry of this device off the trust lists of the others (DELETE /v1/peers/trust/{id} there), and pair them anew (POST /v1/peers/pairing)'
