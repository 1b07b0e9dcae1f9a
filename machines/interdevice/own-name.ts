// The name that another device gives itself.
import { schemaErrors } from '../schema/errors.ts'
import { Name } from '../schema/name.ts'

/** The length of a host name (RFC 1035). */
const MAX_NAME_LENGTH = 253
const ReadableName = Name(MAX_NAME_LENGTH, 'What a device says that it is called.')

/**
 * Anybody may say anything: a name that people cannot read, or that looks like another, is none. undefined: it says
 * none.
 */
export const readOwnName = (said: string | null | undefined): string | undefined =>
  typeof said === 'string' && schemaErrors(ReadableName, said).length === 0 ? said : undefined
