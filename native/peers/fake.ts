// Peers without a network: devices that answer as they are told to, and say on their sockets what they are told to say.
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { ended, unreachable } from './faults.ts'
import type { PeerAnswer, PeerRequest, PeerSocket, PeerTarget, PeerWire } from './port.ts'

/** A socket that was opened to a fake device. */
export interface FakeSocket {
  readonly path: string
  readonly say: (message: object) => void
  readonly drop: () => void
}

/** A device at an address. */
export interface FakeDevice {
  /** Of its certificate. */
  fingerprint: string
  /** Null: it answers nothing at all. Pings are answered while `isSilent` is false. */
  answer: (request: PeerRequest, target: PeerTarget) => PeerAnswer | Fault | null
  /** What a socket is told as soon as it is open; a fault: why it is not. */
  welcome: (path: string) => readonly object[] | Fault
  isSilent: boolean
  /** What it does about a text that is sent to it. */
  heard: (text: string, say: FakeSocket['say']) => void
  readonly requests: PeerRequest[]
  readonly sockets: FakeSocket[]
}

/** A JSON answer. */
export const jsonAnswer = (status: number, document: object): PeerAnswer => ({
  status,
  headers: { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' },
  body: Buffer.from(JSON.stringify(document)),
})

const ROUND_TRIP_MS = 2
export const FAKE_FINGERPRINT = 'fa'.repeat(32)

/** Reaches the devices that were set up under their origins, and nobody else. */
export class FakePeerWire implements PeerWire {
  readonly devices = new Map<string, FakeDevice>()

  /** Sets up a device that knows no path and opens no socket. */
  add(origin: string): FakeDevice {
    const device: FakeDevice = {
      fingerprint: FAKE_FINGERPRINT,
      answer: () => jsonAnswer(404, { code: 'route.not_found', detail: 'there is nothing at this path' }),
      welcome: () => unreachable(origin, 'fake'),
      isSilent: false,
      heard: () => {},
      requests: [],
      sockets: [],
    }
    this.devices.set(origin, device)
    return device
  }

  readonly dial: PeerWire['dial'] = ({ origin }) => Effect.fail(unreachable(origin, 'it is a fake'))

  readonly identify: PeerWire['identify'] = (origin) =>
    Effect.suspend(() => {
      const device = this.devices.get(origin)
      return device ? Effect.succeed(device.fingerprint) : Effect.fail(unreachable(origin, 'ECONNREFUSED'))
    })

  readonly ask: PeerWire['ask'] = (target, request, connected = () => {}) =>
    Effect.suspend(() => {
      const device = this.devices.get(target.origin)
      if (!device) return Effect.fail(unreachable(target.origin, 'ECONNREFUSED'))
      device.requests.push(request)
      const answer = device.answer(request, target)
      if (answer === null || 'status' in answer || answer.code !== 'peer.unreachable') connected()
      if (answer === null) return Effect.never
      return 'status' in answer ? Effect.succeed(answer) : Effect.fail(answer)
    })

  readonly follow: PeerWire['follow'] = ({ origin }, path, heard) =>
    Effect.gen({ self: this }, function* () {
      const device = this.devices.get(origin)
      if (!device) return yield* Effect.fail(unreachable(origin, 'ECONNREFUSED'))
      const welcome = device.welcome(path)
      if (!Array.isArray(welcome)) return yield* Effect.fail(welcome as Fault)
      const end = Deferred.makeUnsafe<never, Fault>()
      const say = (message: object) => heard(Buffer.from(JSON.stringify(message)), false)
      const socket = { path, say, drop: () => void Deferred.doneUnsafe(end, Effect.fail(ended(origin, 'dropped'))) }
      yield* Effect.acquireRelease(
        Effect.sync(() => device.sockets.push(socket)),
        () => Effect.sync(() => device.sockets.splice(device.sockets.indexOf(socket), 1)),
      )
      for (const message of welcome) say(message)
      return {
        ended: Deferred.await(end),
        send: (text) => device.heard(text, say),
        ping: (answered) => {
          if (!device.isSilent) answered(ROUND_TRIP_MS)
        },
      } satisfies PeerSocket
    })
}
