// A service on the bus that a test holds in its hands.
import { once } from 'node:events'
import { DBusError, Message, type MessageBus, MessageType, sessionBus } from '@jellybrick/dbus-next'
import type { Lifetime } from '../lifetime.ts'

/** What a method answers: signature and values. A throw of dbusError is an error; null: no answer at all. */
export type Answer = readonly [signature: string, ...body: unknown[]] | null
export type Method = (...values: readonly unknown[]) => Answer | Promise<Answer>

/** An error as a service answers one. */
export const dbusError = (name: string, text: string): Error => new DBusError(name, text)

/** A service with these methods, at whichever path and interface. */
export class FakeService {
  readonly bus: MessageBus
  readonly #methods: ReadonlyMap<string, Method>

  private constructor(bus: MessageBus, methods: Iterable<readonly [string, Method]>) {
    this.bus = bus
    this.#methods = new Map(methods)
    ;(bus as NodeJS.EventEmitter).on('error', () => {})
    bus.addMethodHandler((message) => this.#handle(message))
  }

  /** Starts one; it ends with the test. */
  static async start(
    t: Lifetime,
    busAddress: string,
    name: string,
    methods: Iterable<readonly [string, Method]> = [],
  ): Promise<FakeService> {
    const bus = sessionBus({ busAddress })
    const service = new FakeService(bus, methods)
    t.after(() => service.stop())
    await once(bus, 'connect')
    await bus.requestName(name)
    return service
  }

  /** Tells everybody. */
  signal(path: string, interfaceName: string, member: string, signature: string, ...body: unknown[]): void {
    this.bus.send(Message.newSignal(path, interfaceName, member, signature, body))
  }

  /** Goes away from the bus, as one that crashes. */
  stop(): void {
    this.bus.disconnect()
  }

  #handle(message: Message): boolean {
    const method = this.#methods.get(message.member)
    if (message.type !== MessageType.METHOD_CALL || !method) return false
    const answer = async () => {
      try {
        const given = await method(...message.body)
        if (given) this.bus.send(Message.newMethodReturn(message, given[0], given.slice(1)))
      } catch (error) {
        const { type, text } = error as DBusError
        this.bus.send(Message.newError(message, type, text))
      }
    }
    void answer()
    return true
  }
}
