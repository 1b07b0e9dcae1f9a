// The events of a peer while there is a link: heard, told again, and acted upon. It says whether the peer is alive.
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { EVENTS_PATH, type HeardEvent, type HeardMessage, messageIn } from '../../machines/peers/heard.ts'
import type { PeerAim, PeerLinkEvent } from '../../machines/peers/peer-link-machine.ts'
import type { PeerSocket, PeerWire } from '../../native/peers/port.ts'
import { type Talk, within } from '../run.ts'
import type { PeerRuntime } from './peer-runtime.ts'
import type { Retell } from './retell.ts'

const HELLO_LIMIT = '5 seconds'
const PING_EVERY_MS = 5_000
const SILENT_AFTER_PINGS = 3 // 15 s

/** What a session works with. pingEveryMs: for tests, which do not wait for so long. */
export interface PeerSessionParts {
  readonly wire: Pick<PeerWire, 'follow'>
  readonly peer: PeerRuntime
  readonly retell: Retell
  readonly pingEveryMs?: number
}

/** Holds the session at a peer; fails with why it has ended. */
export const holdPeerSession = (
  { wire, peer, retell, pingEveryMs = PING_EVERY_MS }: PeerSessionParts,
  aim: PeerAim,
  { send, guard }: Talk<PeerLinkEvent>,
): Effect.Effect<never, Fault, Scope.Scope> =>
  Effect.gen(function* () {
    const nonsense = Deferred.makeUnsafe<never, Fault>()
    const hello = Deferred.makeUnsafe<void>()
    const life = new SignsOfLife(peer, send)
    const epochOf = () => peer.known.event?.epoch ?? ''

    const hear = (message: HeardMessage): void => {
      if (message.type === 'event') hearEvent(message.event)
      else hearOfTheRing(message)
    }
    const hearOfTheRing = (message: Exclude<HeardMessage, { type: 'event' }>): void => {
      peer.noteEvent(message.epoch, message.type === 'hello' && message.resumed ? seqOf(peer) : message.seq)
      if (message.type === 'reset') return // it follows a hello, with which everything is read anyway
      Deferred.doneUnsafe(hello, Effect.void)
      send({ type: 'session.opened' })
    }
    const hearEvent = (event: HeardEvent): void => {
      if (event.seq <= seqOf(peer)) return // told twice
      peer.noteEvent(epochOf(), event.seq)
      retell(peer.id, event)
      if (!isContained(peer, event)) send({ type: 'inventory.changed' })
    }

    const socket = yield* wire.follow(
      aim,
      pathFor(peer),
      guard((text: Buffer) => {
        life.heard()
        const message = messageIn(text.toString(), aim.origin)
        if (isFault(message)) Deferred.doneUnsafe(nonsense, Effect.fail(message))
        else hear(message)
      }),
    )
    const greeting = Deferred.await(hello).pipe(within(HELLO_LIMIT, noHello(aim.origin)), Effect.andThen(Effect.never))
    return yield* Effect.raceAllFirst([
      socket.ended,
      Deferred.await(nonsense),
      greeting,
      life.watch(socket, guard, pingEveryMs),
    ])
  })

/** Whether a peer is alive: whoever says nothing is asked. */
class SignsOfLife {
  readonly #peer: PeerRuntime
  readonly #send: Talk<PeerLinkEvent>['send']
  #pings = 0
  #isSilent = false

  constructor(peer: PeerRuntime, send: Talk<PeerLinkEvent>['send']) {
    this.#peer = peer
    this.#send = send
  }

  heard(roundTripMs?: number): void {
    this.#pings = 0
    this.#peer.heard(roundTripMs)
    if (!this.#isSilent) return
    this.#isSilent = false
    this.#send({ type: 'peer.heard' })
  }

  watch(socket: PeerSocket, guard: Talk['guard'], everyMs: number): Effect.Effect<never> {
    const heard = guard((roundTripMs: number) => this.heard(roundTripMs))
    const ask = Effect.sync(() => {
      this.#pings += 1
      socket.ping(heard)
      if (this.#pings !== SILENT_AFTER_PINGS + 1) return
      this.#isSilent = true
      this.#send({ type: 'peer.silent' })
    })
    return Effect.forever(Effect.andThen(ask, Effect.sleep(everyMs)))
  }
}

const seqOf = ({ known }: PeerRuntime): number => known.event?.seq ?? 0

/** What was read last has it already. */
const isContained = ({ known: { inventory, event } }: PeerRuntime, { seq }: HeardEvent): boolean =>
  inventory !== null && inventory.epoch === event?.epoch && seq <= inventory.seq

/** From the newest event that was heard on. */
const pathFor = ({ known: { event } }: PeerRuntime): string =>
  event ? `${EVENTS_PATH}?since=${event.seq}&epoch=${encodeURIComponent(event.epoch)}` : EVENTS_PATH

const noHello = (origin: string): Fault => ({
  code: 'peer.bad_answer',
  detail: `${origin} opens its events and does not begin to tell them`,
})
