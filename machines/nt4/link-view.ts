// The link as everybody sees it: in the status of the NT4 settings, and in the events that tell of its turns.

import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import { FaultDocument } from '../errors/fault-document.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import type { Nt4LinkStatus } from './nt4-link-machine.ts'
import { Nt4ProtocolName } from './protocol-name.ts'

const strict = { additionalProperties: false } as const

/** The link as a whole, and the session while there is one. */
export const Nt4LinkView = Type.Object(
  {
    state: Type.Enum(['off', 'parked', 'awaiting-server', 'dialling', 'connected', 'restarting', 'failed'], {
      title: 'Nt4State',
      description: oneLine`
        off: the target says so. parked: the target cannot be used, and the fault says why. awaiting-server: the
        embedded server is not there yet; with a fault, it cannot listen. dialling: the robot is being called; with a
        fault, it was lost or does not answer. connected: there is a link. restarting, failed: this part of the
        service crashed.
      `,
    }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'host:port of the session or of the last one; else the likeliest of those that are dialled.',
    }),
    protocol: Type.Union([Nt4ProtocolName, Type.Null()], { description: 'null while there is no link.' }),
    round_trip_us: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description:
        'Of the reading of the clock that counts, the shortest of the last ones; null while there is no link.',
    }),
    server_offset_us: Type.Union([Type.Number(), Type.Null()], {
      description: "What the server's clock shows beyond CLOCK_MONOTONIC of this device; null while there is no link.",
    }),
    next_try_in_ms: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: oneLine`
        Of a link that was lost: how long after that the robot was to be called again; 0: at once, at its other
        addresses. From then on each address is called about once a second. null: it was not lost.
      `,
    }),
    fault: Type.Union([FaultDocument, Type.Null()], {
      description: 'Why there is no link; null while there is one, and until the first calls have failed.',
    }),
  },
  { ...strict, title: 'Nt4Link', description: 'How it is with the link to the robot.' },
)
export type Nt4LinkView = Static<typeof Nt4LinkView>

/** What a session tells of itself. Times in µs. */
export interface SessionFigures {
  readonly protocol: '4.0' | '4.1'
  readonly roundTripUs: () => number
  readonly serverOffsetUs: () => number
}

/** What there is to say without a session. */
type Told = Omit<Nt4LinkStatus, 'target' | 'state'> & Pick<Nt4LinkView, 'state'>

/** The link as it is. session: counts only while there is a link; one that was lost may still be there for a moment. */
export const linkView = (
  { state, address, fault, nextTryInMs }: Told,
  session: SessionFigures | undefined,
): Nt4LinkView => {
  const open = state === 'connected' ? session : undefined
  return {
    state,
    address,
    protocol: open?.protocol ?? null,
    round_trip_us: open?.roundTripUs() ?? null,
    server_offset_us: open?.serverOffsetUs() ?? null,
    next_try_in_ms: nextTryInMs,
    fault: fault && { code: fault.code, detail: fault.detail },
  }
}

/** The link while its part of the service is down. */
export const downView = (state: 'restarting' | 'failed', fault: Fault | null): Nt4LinkView =>
  linkView({ state, address: null, fault, nextTryInMs: null }, undefined)

/**
 * Whether everybody is to hear of it: another state, or the first fault in it. Not of each call that fails while the
 * robot is off.
 */
export const isNews = (before: Nt4LinkView | undefined, after: Nt4LinkView): boolean =>
  before?.state !== after.state || (before.fault === null) !== (after.fault === null)
