// Why this device is nobody to other devices for now.
import type { ClientCode } from '../errors/catalogue.ts'
import type { Fault } from '../errors/fault.ts'

/** Nothing can be asked of other devices then, nor by them. */
export const NO_IDENTITY = ['identity.not_kept', 'identity.unreadable'] as const satisfies readonly ClientCode[]

export const isOwnIdentityMissing = ({ code }: Fault): boolean => (NO_IDENTITY as readonly string[]).includes(code)
