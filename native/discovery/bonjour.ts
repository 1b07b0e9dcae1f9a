// DNS-SD over multicast, by bonjour-service, loaded when it is first needed: one instance for each address, since by
// itself it sends where the default route leads, and nowhere without one. Everything in here has been seen to go wrong
// (docs/decisions/0171-dns-sd.md).
import { networkInterfaces } from 'node:os'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { type Announced, type Received, SERVICE_TYPE } from '../../machines/discovery/announcement.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { DnsSd, DnsSdListener, DnsSdPort } from './port.ts'

const MIN_BETWEEN_ASKS_MS = 1_000
const MAX_HEARD = 256 // in a round: a sender that makes up devices shall not have them all kept
const STOP_LIMIT_MS = 500 // it takes 4

/** DNS-SD on the networks of this device. interfaces: of the system. */
export const bonjourDnsSd = (interfaces: typeof networkInterfaces = networkInterfaces): DnsSdPort => ({
  addresses: Effect.try({
    try: () =>
      Object.values(interfaces())
        .flatMap((addresses = []) => addresses)
        .filter(({ family, internal }) => family === 'IPv4' && !internal)
        .map(({ address }) => address)
        .sort(),
    catch: (error) => failed(`the networks of this device cannot be listed: ${messageOf(error)}`),
  }),
  open: (addresses, announced, listener) =>
    Effect.gen(function* () {
      const { default: Bonjour } = yield* Effect.tryPromise({
        try: () => import('bonjour-service'),
        catch: (error) => failed(`DNS-SD cannot be loaded: ${messageOf(error)}`),
      })
      const fault = Promise.withResolvers<Fault>()
      const make: MakeBonjour = (options, onError) => new Bonjour(options, onError) as unknown as BonjourLike
      const parts = { make, announced, listener, fail: fault.resolve }
      const networks = yield* Effect.forEach(addresses, (address) => onNetwork(address, parts))
      return dnsSdOf(
        networks,
        Effect.flatMap(
          Effect.promise(() => fault.promise),
          Effect.fail,
        ),
      )
    }),
})

const dnsSdOf = (networks: readonly Network[], failed: DnsSd['failed']): DnsSd => {
  let askedMs = performance.now()
  return {
    ask: () => {
      const nowMs = performance.now()
      if (nowMs - askedMs < MIN_BETWEEN_ASKS_MS) return
      askedMs = nowMs
      for (const network of networks) network.ask()
    },
    failed,
  }
}

const failed = (detail: string): Fault => ({ code: 'discovery.failed', detail })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** As much of bonjour-service as is used here; `server` is private in its types. */
interface BonjourLike {
  readonly server: { readonly mdns: NodeJS.EventEmitter }
  readonly publish: (service: object) => void
  readonly find: (options: { type: string }) => BrowserLike
  readonly unpublishAll: (done: () => void) => void
  readonly destroy: (done: () => void) => void
}

interface BrowserLike extends NodeJS.EventEmitter {
  readonly stop: () => void
}

interface ServiceLike {
  readonly name?: unknown
  readonly port?: unknown
  readonly txt?: unknown
  readonly referer?: { readonly address?: unknown }
}

type MakeBonjour = (options: object, onError: (error: unknown) => void) => BonjourLike

interface NetworkParts {
  readonly make: MakeBonjour
  readonly announced: Announced | null
  readonly listener: DnsSdListener
  readonly fail: (fault: Fault) => void
}

interface Network {
  readonly ask: () => void
}

const onNetwork = (address: string, parts: NetworkParts): Effect.Effect<Network, Fault, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({ try: () => new OnNetwork(address, parts), catch: (error) => failed(messageOf(error)) }),
    (network) => Effect.promise(() => network.stop()),
  )

class OnNetwork implements Network {
  readonly #bonjour: BonjourLike
  readonly #listener: DnsSdListener
  #browser: BrowserLike | undefined
  #isStopped = false

  constructor(address: string, { make, announced, listener, fail }: NetworkParts) {
    this.#listener = listener
    const broken = (error: unknown) => {
      if (!this.#isStopped) fail(failed(`DNS-SD does not work at ${address}: ${messageOf(error)}`))
    }
    this.#bonjour = make({ interface: address, bind: '0.0.0.0' }, broken)
    isolate(this.#bonjour.server.mdns, broken)
    // No probing for others of that name: none has it, and a second network of this device would be taken for one, and
    // remove the first from everybody's list.
    if (announced)
      this.#bonjour.publish({ ...announced, type: SERVICE_TYPE, host: `${announced.name}.local`, probe: false })
    this.#browse()
  }

  /**
   * A browser keeps each device that it has heard, and reports it once; a new one reports all again, and forgets
   * made-up ones. It asks as it begins.
   */
  ask(): void {
    if (!this.#isStopped) this.#browse()
  }

  /** Says goodbye. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#browser?.stop()
    const { promise, resolve } = Promise.withResolvers<void>()
    const limit = setTimeout(resolve, STOP_LIMIT_MS)
    const ended = () => resolve()
    this.#bonjour.unpublishAll(() => this.#bonjour.destroy(ended))
    await promise
    clearTimeout(limit)
    this.#bonjour.destroy(() => {})
  }

  #browse(): void {
    this.#browser?.stop()
    const browser = this.#bonjour.find({ type: SERVICE_TYPE })
    this.#browser = browser
    let heard = 0
    const tell = (service: ServiceLike) => {
      heard += 1
      if (heard > MAX_HEARD) browser.stop()
      else this.#listener.heard(receivedOf(service))
    }
    browser.on('up', tell)
    browser.on('txt-update', tell)
    browser.on('srv-update', tell)
    browser.on('down', (service: ServiceLike) => this.#listener.gone(receivedOf(service)))
  }
}

/** The sender's address counts, not the addresses that a device claims: it leads to the device that was heard. */
const receivedOf = ({ name, port, txt, referer }: ServiceLike): Received => ({
  name,
  port,
  txt,
  address: referer?.address,
})

/**
 * What goes wrong in it comes as an event, which nobody else listens to, or is thrown in a callback of the system:
 * either would be the end of this process.
 */
const isolate = (mdns: NodeJS.EventEmitter, broken: (error: unknown) => void): void => {
  mdns.on('error', broken)
  mdns.on('warning', () => {}) // a packet that makes no sense, or a network that has just gone
  const emit = mdns.emit.bind(mdns)
  mdns.emit = (event, ...values) => {
    try {
      return emit(event, ...values)
    } catch {
      return true // a packet of which the library makes no sense
    }
  }
}
