// The events of a peer while there is a link: heard, told again, and acted upon. It says whether the peer is alive.

import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { clockQuestion } from '../../machines/interdevice/clock-reading.ts'
import { partOf } from '../../machines/interdevice/inventory-part.ts'
import { queryPart } from '../../machines/interdevice/path-part.ts'
import type { PeerAddress, PeerLinkEvent } from '../../machines/peers/peer-link-machine.ts'
import {
  EVENTS_PATH,
  messageIn,
  numberFault,
  type PeerEvent,
  type PeerMessage,
} from '../../machines/peers/peer-messages.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { PeerSocket, PeerWire } from '../../native/peers/port.ts'
import { keep, type Talk, within } from '../run.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { PeerRuntime } from './peer-runtime.ts'
import { EventRelay, type RelayEvents } from './relay-events.ts'

const HELLO_LIMIT = '5 seconds'
const SILENT_AFTER_BEATS = 3 // 15 s
const KIB = 1024

/** What a session works with. beat: when the peer is asked whether it is there. */
export interface PeerSessionParts {
  readonly wire: Pick<PeerWire, 'follow'>
  readonly peer: PeerRuntime
  readonly relay: RelayEvents
  readonly beat: Heartbeat
}

/** Holds the session at a peer; fails with why it has ended. */
export const holdPeerSession = (
  { wire, peer, relay, beat }: PeerSessionParts,
  address: PeerAddress,
  { send, guard }: Talk<PeerLinkEvent>,
): Effect.Effect<never, Fault, Scope.Scope> =>
  Effect.gen(function* () {
    const nonsense = Deferred.makeUnsafe<never, Fault>()
    const hello = Deferred.makeUnsafe<void>()
    const life = new SignsOfLife(peer, send)
    const told = new EventRelay(() => peer.may('tell'))
    yield* Effect.addFinalizer(() => Effect.sync(() => told.end()))
    let isOver = false
    let isNew = false
    let tellsTime = false
    const end = (fault: Fault): void => {
      isOver = true
      Deferred.doneUnsafe(nonsense, Effect.fail(fault))
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        peer.endSession = end
      }),
      () =>
        Effect.sync(() => {
          if (peer.endSession === end) peer.endSession = () => {}
        }),
    )
    const epochOf = () => peer.known.event?.epoch ?? ''

    const hear = (message: PeerMessage): void => {
      if (message.type === 'event') hearEvent(message.event)
      else if (message.type === 'clock') peer.clock.answered(message.number, message.monotonicUs)
      else hearOfTheRing(message)
    }
    const hearOfTheRing = ({ type, epoch, seq, resumed, ...said }: Extract<PeerMessage, { epoch: string }>): void => {
      if (type === 'hello') tellsTime = said.tellsTime
      const isSame = epoch === epochOf()
      if (isNew && isSame && seq === seqOf(peer)) return // it follows the hello, with which everything is read anyway
      // or the previous numbers would outdo those that come
      const isResumed = type === 'hello' && resumed && isSame && seq >= seqOf(peer)
      peer.noteEvent(epoch, isResumed ? seqOf(peer) : seq)
      peer.outdated.all()
      send({ type: Deferred.isDoneUnsafe(hello) ? 'inventory.changed' : 'session.opened' })
      Deferred.doneUnsafe(hello, Effect.void)
      isNew = true
    }
    const hearEvent = (event: PeerEvent): void => {
      isNew = false
      const isGreeted = Deferred.isDoneUnsafe(hello)
      const flaw = isGreeted ? numberFault(seqOf(peer), event.seq, address.origin) : noHello(address.origin)
      if (flaw) {
        end(flaw)
        return
      }
      peer.noteEvent(epochOf(), event.seq)
      const tell = relay(peer.id, event)
      if (tell) told.hear(event, tell)
      const part = partOf(event)
      if (part && peer.outdated.note(part, event.seq)) send({ type: 'inventory.changed' })
    }

    const socket = yield* wire.follow(
      address,
      pathFor(peer),
      guard((text: Buffer) => {
        if (isOver) return
        life.heard()
        const mayTell = peer.may('hear', 1 + Math.floor(text.length / KIB))
        const message = mayTell ? messageIn(text.toString(), address.origin) : floods(address.origin)
        if (isFault(message)) end(message)
        else hear(message)
      }),
    )
    const greeting = Deferred.await(hello).pipe(
      within(HELLO_LIMIT, noHello(address.origin)),
      Effect.andThen(Effect.never),
    )
    const clock = Effect.andThen(
      Deferred.await(hello),
      Effect.suspend(() => (tellsTime ? askForTheTime(peer, socket, beat) : Effect.never)),
    )
    const heard = Effect.raceAllFirst([socket.ended, Deferred.await(nonsense)]).pipe(
      Effect.tapError((fault) => Effect.sync(() => forgetWhere(peer, fault))),
    )
    return yield* Effect.raceAllFirst([heard, greeting, life.watch(socket, guard, beat), told.keepTelling, clock])
  })

/**
 * Where a device stands that has told what cannot be, or too much, is not known any more. It is not asked for what came
 * since: it would begin with all of the flood, or the same nonsense, and after a number that cannot be all that comes
 * would be taken for old. What it has is read with each link.
 */
const forgetWhere = (peer: PeerRuntime, { code }: Fault): void => {
  if (code !== 'peer.unreachable') peer.loseTrack()
}

/** For those here who want to know where the clock of the peer stands. */
const askForTheTime = (
  { clock }: PeerRuntime,
  socket: PeerSocket,
  beat: Heartbeat,
): Effect.Effect<never, never, Scope.Scope> => {
  const begin = () => {
    const close = clock.open((number) => socket.send(clockQuestion(number)))
    const stop = beat.add(() => clock.beat())
    return () => {
      stop()
      close()
    }
  }
  return keep(begin, (end) => end())
}

/** Whether a peer is alive: whoever says nothing is asked. */
class SignsOfLife {
  readonly #peer: PeerRuntime
  readonly #send: Talk<PeerLinkEvent>['send']
  #isSilent = false
  #hasHeard = true
  #silence: NodeJS.Timeout | undefined
  #listen = () => {}

  constructor(peer: PeerRuntime, send: Talk<PeerLinkEvent>['send']) {
    this.#peer = peer
    this.#send = send
  }

  heard(roundTripMs?: number): void {
    this.#hasHeard = true
    this.#listen()
    this.#peer.heard(roundTripMs)
    if (!this.#isSilent) return
    this.#isSilent = false
    this.#send({ type: 'peer.heard' })
  }

  /** Asks at once, for the time that it takes; from then on with all the others. */
  watch(socket: PeerSocket, guard: Talk['guard'], beat: Heartbeat): Effect.Effect<never, never, Scope.Scope> {
    const heard = guard((roundTripMs: number) => this.heard(roundTripMs))
    const fallSilent = guard(() => {
      if (this.#hasHeard) return
      this.#isSilent = true
      this.#send({ type: 'peer.silent' })
    })
    /** What has come while this process slept is still to be read: that is done before the immediate. */
    const look = () => {
      this.#hasHeard = false
      setImmediate(fallSilent)
    }
    const begin = () => {
      this.#listen = () => {
        clearTimeout(this.#silence)
        this.#silence = setTimeout(look, SILENT_AFTER_BEATS * beat.everyMs)
      }
      const ask = () => {
        const { outdated } = this.#peer
        const { readings } = outdated
        socket.ping((roundTripMs) => {
          heard(roundTripMs)
          outdated.hasCaughtUp(readings)
        })
      }
      this.#listen()
      ask()
      return beat.add(ask)
    }
    const end = (leave: () => void) => {
      leave()
      this.#listen = () => {}
      clearTimeout(this.#silence)
    }
    return keep(begin, end)
  }
}

const seqOf = ({ known }: PeerRuntime): number => known.event?.seq ?? 0

/** From the newest event that was heard on. */
const pathFor = ({ known: { event } }: PeerRuntime): string =>
  event ? `${EVENTS_PATH}?since=${event.seq}&epoch=${queryPart(event.epoch)}` : EVENTS_PATH

const noHello = (origin: string): Fault => ({
  code: 'peer.bad_answer',
  detail: `${origin} opens its events and does not begin with its hello`,
})

const floods = (origin: string): Fault => ({
  code: 'peer.floods',
  detail: oneLine`
    ${origin} tells of more than this device can follow; it is called again in a few seconds, and what it has is read
    then. Something there changes without end
  `,
})
