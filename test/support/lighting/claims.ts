// Claims of lights, as tests make them.
import type { Claim } from '../../../machines/lighting/claims.ts'
import { steady } from '../../../machines/lighting/show.ts'

/** A claim of somebody, of white light if nothing is said. */
export const claimOf = (owner: string, fields: Partial<Claim> = {}): Claim => ({
  owner,
  kind: 'person',
  priority: 40,
  group: null,
  picture: steady('#ffffff', 1),
  shows: 'on',
  why: 'a test wants it',
  since_ms: 0,
  until_ms: null,
  ...fields,
})
