// D-Bus over its socket, by @jellybrick/dbus-next, loaded when it is first needed. It settles nothing that the bus does
// not answer, and takes the process with it on a message of which it makes no sense: each call has a limit here, and
// what is thrown while a message is read is the end of that connection alone
// (docs/decisions/0287-services-of-the-system.md).
import type { Message, MessageBus } from '@jellybrick/dbus-next'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { Listeners } from '../../machines/listeners.ts'
import { BUS, busCall, rulesOf } from './bus-names.ts'
import type { DbusCall, DbusConnection, DbusFailure, DbusListener, DbusPort } from './port.ts'
import { DbusVariant, mapInside } from './variant.ts'

const CONNECT_LIMIT_MS = 10_000 // it takes 5 ms; the device may be starting
const DEFAULT_CALL_LIMIT_MS = 25_000 // that of the reference library: a service may have to be started first
const SERVICE_NAME = /^[A-Za-z_-][\w-]*(\.[A-Za-z_-][\w-]*)+$/

/** Where the bus of the system is. */
export interface LinuxDbusParts {
  /** As in DBUS_SYSTEM_BUS_ADDRESS. */
  readonly address?: string
  readonly connectLimitMs?: number
}

/** The bus of a Linux system. */
export const linuxDbus = ({
  address = process.env.DBUS_SYSTEM_BUS_ADDRESS ?? 'unix:path=/run/dbus/system_bus_socket',
  connectLimitMs = CONNECT_LIMIT_MS,
}: LinuxDbusParts = {}): DbusPort => ({
  connect: Effect.gen(function* () {
    const library = yield* Effect.promise(() => import('@jellybrick/dbus-next'))
    const connection = yield* Effect.acquireRelease(
      Effect.sync(() => new LinuxConnection(library, address)),
      (each) => Effect.sync(() => each.close()),
    )
    yield* Effect.timeoutOrElse(connection.ready, {
      duration: connectLimitMs,
      orElse: () =>
        Effect.fail(failure('no-answer', `the system bus did not answer within ${connectLimitMs / 1000} s`)),
    })
    return connection
  }),
})

type Library = typeof import('@jellybrick/dbus-next')

/** As much of what the library keeps to itself as is needed: it does not tell when its connection has ended. */
interface Inside {
  readonly _connection: { readonly stream?: NodeJS.ReadWriteStream & { destroy(): void } }
}

class LinuxConnection implements DbusConnection {
  readonly ready: Effect.Effect<void, DbusFailure>
  readonly #library: Library
  readonly #bus: MessageBus
  readonly #heard = new Listeners<Message>()
  readonly #ended = new Listeners<DbusFailure>()
  #failure: DbusFailure | null = null
  #why = ''

  constructor(library: Library, address: string) {
    this.#library = library
    this.#bus = library.sessionBus({ busAddress: address }) // that of this address, whichever it is
    const events: NodeJS.EventEmitter = this.#bus
    const isReady = Promise.withResolvers<void>()
    events.once('connect', () => isReady.resolve())
    // also after its end: without a listener it would be thrown
    events.on('error', (error: unknown) => this.#end(error))
    events.on('message', (message: Message) => {
      if (message.type === library.MessageType.SIGNAL) this.#heard.notify(message)
    })
    this.ready = Effect.mapError(
      Effect.raceFirst(
        Effect.andThen(
          Effect.promise(() => isReady.promise),
          Effect.sync(() => this.#watch()),
        ),
        this.lost,
      ),
      () => noBus(address, this.#why),
    )
  }

  readonly lost: Effect.Effect<never, DbusFailure> = Effect.callback((resume) => {
    if (this.#failure) resume(Effect.fail(this.#failure))
    return Effect.sync(this.#ended.add((failure) => resume(Effect.fail(failure))))
  })

  readonly call = (call: DbusCall): Effect.Effect<readonly unknown[], DbusFailure> => {
    const limitMs = call.limitMs ?? DEFAULT_CALL_LIMIT_MS
    const answer = Effect.tryPromise({
      try: () => this.#bus.call(this.#message(call)),
      catch: (error) => this.#failureOf(error),
    })
    const inTime = Effect.timeoutOrElse(answer, {
      duration: limitMs,
      orElse: () => Effect.fail(failure('no-answer', `${call.service} did not answer within ${limitMs / 1000} s`)),
    })
    return Effect.map(Effect.raceFirst(this.lost, inTime), (message) => (message?.body ?? []).map(this.#received))
  }

  readonly follow = (service: string, listener: DbusListener): Effect.Effect<string | null, DbusFailure, Scope.Scope> =>
    Effect.gen({ self: this }, function* () {
      if (!SERVICE_NAME.test(service))
        return yield* Effect.fail(failure('unsendable', `${JSON.stringify(service)} is not the name of a service`))
      const following = new Following(service, listener, this.#received)
      yield* Effect.acquireRelease(
        Effect.sync(() => this.#heard.add((message) => following.hear(message))),
        (stop) => Effect.sync(stop),
      )
      for (const rule of rulesOf(service))
        yield* Effect.acquireRelease(this.call(busCall('AddMatch', rule)), () =>
          Effect.sync(() => this.#tell(busCall('RemoveMatch', rule))),
        )
      const owner = yield* Effect.catch(this.call(busCall('GetNameOwner', service)), (why) =>
        why.name === `${BUS}.Error.NameHasNoOwner` ? Effect.succeed([null]) : Effect.fail(why),
      )
      return following.begin(typeof owner[0] === 'string' ? owner[0] : null)
    })

  close(): void {
    this.#end(new Error('it was closed'))
  }

  /** From the first answer on: what ends the socket, and what a message of which nobody makes sense would throw. */
  #watch(): void {
    const { stream } = (this.#bus as unknown as Inside)._connection
    if (!stream) return
    stream.once('close', () => this.#end(new Error('the bus ended the connection')))
    stream.once('end', () => this.#end(new Error('the bus ended the connection')))
    for (const reading of stream.listeners('readable')) {
      stream.removeListener('readable', reading as () => void)
      stream.on('readable', () => {
        try {
          reading()
        } catch (error) {
          this.#end(error)
        }
      })
    }
  }

  #end(error: unknown): void {
    if (this.#failure) return
    this.#why = messageOf(error)
    this.#failure = failure('lost', `the connection to the system bus ended: ${this.#why}`)
    const inside = this.#bus as unknown as Inside
    const cut = () => inside._connection.stream?.destroy()
    if (inside._connection.stream) cut()
    else setImmediate(cut) // it is made a moment later
    this.#ended.notify(this.#failure)
  }

  #message({ service, path, interface: interfaceName, member, signature = '', body = [] }: DbusCall): Message {
    return new this.#library.Message({
      destination: service,
      path,
      interface: interfaceName,
      member,
      signature,
      body: body.map((value) => this.#toSend(value)),
    })
  }

  #tell(call: DbusCall): void {
    if (this.#failure) return
    const message = this.#message(call)
    message.flags = this.#library.MessageFlag.NO_REPLY_EXPECTED
    this.#bus.send(message)
  }

  #toSend(value: unknown): unknown {
    if (value instanceof DbusVariant) return new this.#library.Variant(value.signature, this.#toSend(value.value))
    return mapInside(value, (inner) => this.#toSend(inner))
  }

  readonly #received = (value: unknown): unknown =>
    value instanceof this.#library.Variant
      ? new DbusVariant(value.signature, this.#received(value.value))
      : mapInside(value, this.#received)

  #failureOf(error: unknown): DbusFailure {
    if (!(error instanceof this.#library.DBusError)) return this.#failure ?? failure('unsendable', messageOf(error))
    return { kind: 'error', name: error.type, text: error.text || error.type }
  }
}

/** What is heard of one service: from whoever has its name, and from nobody else, who could send the same. */
class Following {
  readonly #service: string
  readonly #listener: DbusListener
  readonly #received: (value: unknown) => unknown
  #owner: string | null | undefined // undefined: not known yet
  #hasBegun = false

  constructor(service: string, listener: DbusListener, received: (value: unknown) => unknown) {
    this.#service = service
    this.#listener = listener
    this.#received = received
  }

  /** owner: as the bus answered; a change that was heard since is newer. */
  begin(owner: string | null): string | null {
    this.#hasBegun = true
    if (this.#owner === undefined) this.#owner = owner
    return this.#owner
  }

  hear({ sender, path, interface: interfaceName, member, body }: Message): void {
    if (sender === BUS && member === 'NameOwnerChanged' && body[0] === this.#service) {
      this.#owner = typeof body[2] === 'string' && body[2] !== '' ? body[2] : null
      if (this.#hasBegun) this.#listener.owner?.(this.#owner)
    } else if (this.#hasBegun && sender === this.#owner) {
      this.#listener.signal?.({ path, interface: interfaceName, member, body: body.map(this.#received) })
    }
  }
}

const failure = (kind: DbusFailure['kind'], text: string): DbusFailure => ({ kind, name: null, text })

const noBus = (address: string, why: string): DbusFailure =>
  failure('no-bus', `the system bus cannot be reached at ${address}: ${why}`)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
