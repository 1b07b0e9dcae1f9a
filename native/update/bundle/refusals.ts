// How a bundle is refused, wherever that is found out.
import type { Fault } from '../../../machines/errors/fault.ts'

/** Told apart from a bundle that cannot be read because its disk fails. */
export const refused = (why: string): Fault => ({ code: 'update.refused', detail: `the bundle is refused: ${why}` })

export const NO_BUNDLE = refused('it is no bundle of a release; bundles are made by npm run bundle')

export const DAMAGED = refused(
  'it is damaged or cut short: its SHA-256 is not the one at its end; upload it again, from a file that is whole',
)
