// Greeting a device: what it is, as far as it answers.

import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import {
  type Expectation,
  FIRST_PAGE,
  type Greeted,
  type GreetingAnswer,
  HELLO_PATH,
  isSilence,
  judgeGreeting,
  judgeSilence,
} from '../../machines/peers/greeting.ts'
import type { PeerAddress } from '../../machines/peers/peer-address.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { PeerWire } from '../../native/peers/port.ts'
import { orFail } from '../run.ts'

/** Whom one expects to greet. */
export interface Greeting extends Omit<Expectation, 'origin'> {
  readonly address: PeerAddress
}

/** How long a greeting may take, and who hears of its connection. */
export interface GreetOptions {
  /** For the greeting. */
  readonly limitMs?: number
  /** For the look at who keeps silent. */
  readonly lookMs?: number
  /** As that of `ask`. */
  readonly connected?: () => void
}

const GREETING_LIMIT_MS = 4_000
const LOOK_LIMIT_MS = 2_000
const MAX_ANSWER_BYTES = 64 * 1024
/**
 * Of the limit of the wire above that of the greeting: what the wire says before that is of a connection that has
 * ended.
 */
const AFTER_SILENCE_MS = 1_000

type Asker = Pick<PeerWire, 'ask'>

/** Greets a device once. */
export const greet = (
  wire: Asker,
  { address, ...expected }: Greeting,
  { limitMs = GREETING_LIMIT_MS, connected }: GreetOptions = {},
): Effect.Effect<Greeted, Fault> =>
  Effect.flatMap(asked(wire, address, HELLO_PATH, { limitMs, connected }), (came) =>
    orFail(judgeGreeting({ origin: address.origin, ...expected }, came)),
  )

/**
 * Greets a device, and looks again at a stranger who takes the connection and says nothing: a busy device greets then,
 * an old one answers only what it knows.
 */
export const greetOrLook = (
  wire: Asker,
  greeting: Greeting,
  { lookMs: limitMs = LOOK_LIMIT_MS, ...options }: GreetOptions = {},
): Effect.Effect<Greeted, Fault> =>
  Effect.catch(greet(wire, greeting, options), (fault: Fault) => {
    const { address, ...expected } = greeting
    if (!isSilence(fault) || expected.known !== null) return Effect.fail(fault)
    const both = [HELLO_PATH, FIRST_PAGE].map((path) => asked(wire, address, path, { limitMs }))
    return Effect.flatMap(Effect.all(both, { concurrency: 'unbounded' }), ([again = fault, other = fault]) =>
      orFail(judgeSilence({ origin: address.origin, ...expected }, again, other)),
    )
  })

/** What came of a question. Nothing is done by one that is broken off, so that it may be asked again at any time. */
const asked = (
  wire: Asker,
  address: PeerAddress,
  path: string,
  { limitMs, connected = () => {} }: { readonly limitMs: number; readonly connected?: (() => void) | undefined },
): Effect.Effect<GreetingAnswer | Fault> =>
  Effect.suspend(() => {
    let isConnected = false
    const noteConnection = () => {
      isConnected = true
      connected()
    }
    const limits = { limitMs: limitMs + AFTER_SILENCE_MS, maxBytes: MAX_ANSWER_BYTES }
    return wire.ask(address, { method: 'GET', path, ...limits }, noteConnection).pipe(
      Effect.map(({ status, headers, body }) => ({ status, location: headers.location, text: body.toString() })),
      Effect.catch((fault: Fault) => Effect.succeed(fault.code === 'peer.too_slow' ? brokenOff(address) : fault)),
      Effect.timeoutOrElse({
        duration: limitMs,
        orElse: () => Effect.succeed(isConnected ? silent(address, limitMs) : away(address, limitMs)),
      }),
    )
  })

const brokenOff = ({ origin }: PeerAddress): Fault => ({
  code: 'peer.unreachable',
  detail: `${origin} takes the connection and ends it before it has greeted; is it starting, or is the network bad?`,
})

const silent = ({ origin }: PeerAddress, limitMs: number): Fault => ({
  code: 'peer.too_slow',
  detail: `${origin} takes the connection and says nothing for ${limitMs / 1000} s; is it busy?`,
})

const away = ({ origin }: PeerAddress, limitMs: number): Fault => ({
  code: 'peer.unreachable',
  detail: oneLine`
    nothing that can be talked to answers at ${origin} within ${limitMs / 1000} s; is the device on, and the address
    right?
  `,
})
