// The events of a peer while there is a link, with their effects: heard, told again, and acted upon. It says whether
// the peer is alive.

import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { clockQuestion } from '../../machines/interdevice/clock-reading.ts'
import { partOf } from '../../machines/interdevice/inventory-part.ts'
import { queryPart } from '../../machines/interdevice/path-part.ts'
import type { PeerAddress } from '../../machines/peers/peer-address.ts'
import { EVENTS_PATH, type EventPlace, messageIn } from '../../machines/peers/peer-messages.ts'
import {
  type PeerSessionActions,
  type PeerSessionEffects,
  type PeerSessionEvent,
  peerSessionMachine,
} from '../../machines/peers/peer-session-machine.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { PeerSocket, PeerWire } from '../../native/peers/port.ts'
import { fromScoped, keep, type Talk } from '../run.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { PeerRuntime } from './peer-runtime.ts'
import { EventRelay, type RelayEvents } from './relay-events.ts'

const SILENT_AFTER_HEARTBEATS = 3 // 15 s
const KIB = 1024

/** What a session works with. */
export interface PeerSessionParts {
  readonly wire: Pick<PeerWire, 'follow'>
  readonly peer: PeerRuntime
  readonly relay: RelayEvents
  /** When the peer is asked whether it is there. */
  readonly heartbeat: Heartbeat
}

/** The session machine with its effects. */
export const peerSessionActor = ({ wire, peer, relay, heartbeat }: PeerSessionParts) => {
  const told = new EventRelay(() => peer.may('tell'))
  return peerSessionMachine.provide({
    actions: {
      takeGreeting: (_, { epoch, seq }) => {
        peer.noteEvent(epoch, seq)
        peer.outdated.all()
      },
      takeEvent: ({ self, context: { newest } }, event) => {
        peer.noteEvent(newest?.epoch ?? '', event.seq)
        const tell = relay(peer.id, event)
        if (tell) told.hear(event, tell)
        const part = partOf(event)
        if (part && peer.outdated.note(part, event.seq)) self.send({ type: 'inventory.changed' })
      },
      loseTrack: () => peer.loseTrack(),
    } satisfies Required<PeerSessionActions>,
    actors: {
      listen: fromScoped<never, PeerAddress, PeerSessionEvent>((address, { send, guard, isCurrent }) =>
        Effect.gen(function* () {
          const life = new SignsOfLife(peer, send)
          const timeTold = Deferred.makeUnsafe<void>()
          yield* Effect.addFinalizer(() => Effect.sync(() => told.end()))
          const since = peer.known.event
          send({ type: 'events.asked', since })
          const hear = (text: Buffer): void => {
            if (!isCurrent()) return // of a flood, thousands come at once
            life.heard()
            const mayTell = peer.may('hear', 1 + Math.floor(text.length / KIB))
            const message = mayTell ? messageIn(text.toString(), address.origin) : floodFault(address.origin)
            if (isFault(message)) send({ type: 'session.refuted', fault: message })
            else if (message.type === 'event') send({ type: 'event.heard', event: message.event })
            else if (message.type === 'clock') peer.clock.answered(message.number, message.monotonicUs)
            else {
              send({ type: 'greeting.heard', greeting: message })
              if (message.tellsTime) Deferred.doneUnsafe(timeTold, Effect.void)
            }
          }
          const socket = yield* wire.follow(peer.present(address), pathFor(since), guard(hear))
          send({ type: 'socket.opened' })
          const ended = Effect.tapError(socket.ended, ({ code }) =>
            Effect.sync(() => {
              if (code !== 'peer.unreachable') peer.loseTrack() // what it said was no message
            }),
          )
          const clock = Effect.andThen(Deferred.await(timeTold), askForTheTime(peer, socket, heartbeat))
          return yield* Effect.raceAllFirst([ended, life.watch(socket, guard, heartbeat), told.keepTelling, clock])
        }),
      ),
    } satisfies Required<PeerSessionEffects>,
  })
}

/** Asks where the clock of the peer stands, while this device needs to know. */
const askForTheTime = (
  { clock }: PeerRuntime,
  socket: PeerSocket,
  heartbeat: Heartbeat,
): Effect.Effect<never, never, Scope.Scope> => {
  const begin = () => {
    const close = clock.open((number) => socket.send(clockQuestion(number)))
    const stop = heartbeat.add(() => clock.askAgain())
    return () => {
      stop()
      close()
    }
  }
  return keep(begin, (end) => end())
}

/** Whether a peer is alive: one that says nothing is asked. */
class SignsOfLife {
  readonly #peer: PeerRuntime
  readonly #send: Talk<PeerSessionEvent>['send']
  #isSilent = false
  #hasHeard = true
  #silence: NodeJS.Timeout | undefined
  #listen = () => {}

  constructor(peer: PeerRuntime, send: Talk<PeerSessionEvent>['send']) {
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
  watch(socket: PeerSocket, guard: Talk['guard'], heartbeat: Heartbeat): Effect.Effect<never, never, Scope.Scope> {
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
        this.#silence = setTimeout(look, SILENT_AFTER_HEARTBEATS * heartbeat.everyMs)
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
      return heartbeat.add(ask)
    }
    const end = (leave: () => void) => {
      leave()
      this.#listen = () => {}
      clearTimeout(this.#silence)
    }
    return keep(begin, end)
  }
}

/** After the newest event that was heard. */
const pathFor = (since: EventPlace | null): string =>
  since ? `${EVENTS_PATH}?since=${since.seq}&epoch=${queryPart(since.epoch)}` : EVENTS_PATH

const floodFault = (origin: string): Fault => ({
  code: 'peer.floods',
  detail: oneLine`
    ${origin} tells of more than this device can follow; it is called again in a few seconds, and what it has is read
    then. Something there changes without end
  `,
})
