// Why this device has no identity for now.

import type { ClientCode } from '../errors/catalogue.ts'
import type { Fault } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'

/** Nothing can be asked of other devices then, nor by them. */
export const NO_IDENTITY = ['identity.not_kept', 'identity.unreadable'] as const satisfies readonly ClientCode[]

export const isOwnIdentityMissing = ({ code }: Fault): boolean => (NO_IDENTITY as readonly string[]).includes(code)

/** The same for clients that are no administrators: where it lies, and what the disk says, is not for strangers. */
export const toOthers = (fault: Fault): Fault =>
  isOwnIdentityMissing(fault) ? { ...fault, detail: NOBODY_NOW } : fault

const NOBODY_NOW = oneLine`
  this device has no identity that it could show at present, so it is nobody to other devices. Its health and its
  error history say why; ask again later
`
