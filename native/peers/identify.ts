// By which certificate a device at an address is known.
import * as Effect from 'effect/Effect'
import { fingerprintOn } from './dial.ts'
import { noHandshake } from './faults.ts'
import type { PeerWire } from './port.ts'

/** Makes `identify` of a dialler. */
export const identifierOf =
  (dial: PeerWire['dial']): PeerWire['identify'] =>
  (origin, limitMs) =>
    dial({ origin, fingerprint: null, token: null }, limitMs).pipe(
      Effect.flatMap((socket) => {
        const found = fingerprintOn(socket)
        return found === undefined ? Effect.fail(noHandshake(origin, 'it shows no certificate')) : Effect.succeed(found)
      }),
      Effect.scoped,
    )
