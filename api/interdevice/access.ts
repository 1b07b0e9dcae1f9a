// What other devices need to be let in.
import type { AccessClass } from '../../machines/http/access.ts'

/** see: what is here. act: what changes something here. */
export const FOR_DEVICES = { see: 'read', act: 'operate' } as const satisfies Record<string, AccessClass>
