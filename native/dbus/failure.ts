// What people read when a service of the system did not do something.
import type { Fault } from '../../machines/errors/fault.ts'
import type { DbusFailure } from './port.ts'

/** A fault. what: was not done, as the beginning of a sentence. */
export const toFault =
  (what: string) =>
  ({ text }: DbusFailure): Fault => ({ code: 'device.failed', detail: `${what}: ${text}` })
