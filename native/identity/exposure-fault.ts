// The fault of an identity that others could read: what that means, and what people can do.

import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { type Exposure, remedyOf } from '../files/rights.ts'

/** For the error history. */
export const toExposureFault = (path: string, exposure: Exposure): Fault => ({
  code: 'identity.exposed',
  detail: oneLine`
    the identity of this device in ${path} was not for the service alone: ${exposure.why}. Whoever has read it can pass
    for this device with those that trust it. ${remedyOf(path, exposure)}${IF_READ}
  `,
})

const IF_READ = oneLine`
  If nobody else uses this device, and no copy was made that others can read, nothing more is to be done. Else give it
  another identity: stop the service, remove the file, start it again, take the old entry of this device off the trust
  lists of the others (DELETE /v1/peers/trust/{id} there), and pair them anew (POST /v1/peers/pairing)
`
