// A device that knows no tokens.
import type { Tokens } from './port.ts'

/** None is good, and none is made. */
export const noTokens: Tokens = { verify: () => false, fingerprint: null, made: null, fault: null }
