// What other devices need to be let in.
import type { AccessClass } from '../../machines/http/access.ts'

/** see: what is here. act: what changes something here. */
export const FOR_DEVICES = { see: 'peer', act: 'peer' } as const satisfies Record<string, AccessClass>
