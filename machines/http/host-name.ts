// The name of the device on its networks.
import type { Latest } from '../latest.ts'
import { token } from '../token.ts'

/** The name of this device; a new one is set here. */
export const HOST_NAME = token<Latest<string>>('host-name')

/** Under which names, besides its addresses, a device of this name is asked for. */
export const namesOf = ({ value }: Latest<string>): readonly string[] => (value ? [value, `${value}.local`] : [])
