// The embedded NT4 server and the link to the robot, both kept at what the NT4 settings say.
import * as Effect from 'effect/Effect'
import type { ActorRefFrom } from 'xstate'
import type { Directory } from '../../actors/directory.ts'
import { LinkNews } from '../../actors/nt4/link-news.ts'
import { nt4LinkActor } from '../../actors/nt4/nt4-link-actor.ts'
import { nt4ServerActor } from '../../actors/nt4/nt4-server-actor.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import type { nt4LinkMachine } from '../../machines/nt4/nt4-link-machine.ts'
import type { nt4ServerMachine } from '../../machines/nt4/nt4-server-machine.ts'
import type { Nt4Settings } from '../../machines/nt4/settings.ts'
import type { Nt4Address } from '../../machines/nt4/target.ts'
import type { Nt4Port, Nt4Session } from '../../native/nt4/port.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild, type Child, type LifecycleEvent, type Supervisor } from '../supervision/supervisor.ts'

/** Names of the children, as health shows them. */
const NT4_SERVER = 'nt4-server'
const NT4_LINK = 'nt4-link'

/** What a device's NT4 needs. */
export interface Nt4Parts {
  readonly supervisor: Supervisor
  readonly directory: Directory
  /** The slot of the session. */
  readonly link: Latest<Nt4Session | undefined>
  /** Those in force. */
  readonly settings: () => { readonly value: Nt4Settings }
  readonly port: Nt4Port
  readonly persistentFile: string
  /** Enters a fault. */
  readonly record: (fault: Fault) => void
  /** Told where the embedded server listens. */
  readonly listening: (at: Nt4Address) => void
  /** 0 to 1, another one on each device. */
  readonly seed: number
}

/** Both, with what they are to be told. */
type WantedNt4 = Pick<Nt4Settings, 'target' | 'client_name'>

export class Nt4Children implements WantedChildren<WantedNt4> {
  readonly name = 'nt4'
  readonly #supervisor: Supervisor
  readonly #parts: Nt4Parts
  readonly #news: LinkNews

  constructor(parts: Nt4Parts) {
    this.#supervisor = parts.supervisor
    this.#parts = parts
    this.#news = new LinkNews({ events: parts.directory.events, link: parts.link })
  }

  readonly watch = (changed: () => void): (() => void) => {
    const subscription = this.#parts.directory.settings.subscribe(changed)
    return () => subscription.unsubscribe()
  }

  wanted(): ReadonlyMap<string, WantedNt4> {
    const { target, client_name } = this.#parts.settings().value
    return new Map([NT4_SERVER, NT4_LINK].map((id) => [id, { target, client_name }]))
  }

  /** They are told only of what is new: to set the same target again would cut a pause between two attempts short. */
  isSame(before: WantedNt4, after: WantedNt4): boolean {
    return before.target === after.target && before.client_name === after.client_name
  }

  start(id: string): Child {
    return id === NT4_SERVER
      ? anyChild({ id, incarnate: this.#serverIncarnation })
      : anyChild({ id, incarnate: this.#linkIncarnation })
  }

  change(id: string, { target, client_name: clientName }: WantedNt4): Effect.Effect<boolean> {
    const told = id === NT4_SERVER ? { target } : { target, clientName, server: this.#serverAt() }
    this.#supervisor.actor(id)?.send({ type: 'target.set', ...told })
    return Effect.as(this.#supervisor.retry(id), true)
  }

  /** The link hears from each new server where it listens, and everybody of what becomes of the link. */
  connect({ type, id, fault }: LifecycleEvent): void {
    if (id === NT4_LINK) {
      const link = this.#supervisor.actor(NT4_LINK) as ActorRefFrom<typeof nt4LinkMachine> | undefined
      if (type === 'started' && link) this.#news.follow(link)
      else if (type === 'crashed') this.#news.down('restarting', null)
      else if (type === 'failed') this.#news.down('failed', fault ?? null)
    }
    if (type !== 'started' || id !== NT4_SERVER) return
    this.#server()?.on('server.listening', ({ at }) => {
      this.#parts.listening(at)
      this.#supervisor.actor(NT4_LINK)?.send({ type: 'server.listening', at })
    })
  }

  readonly #serverIncarnation = Effect.sync(() => {
    const { port: nt4, persistentFile, record } = this.#parts
    const { target } = this.#parts.settings().value
    return { logic: nt4ServerActor({ nt4, persistentFile, record }), options: { input: { target } } }
  })

  readonly #linkIncarnation = Effect.sync(() => {
    const { port: nt4, record, seed } = this.#parts
    const { target, client_name: clientName } = this.#parts.settings().value
    return {
      logic: nt4LinkActor({ nt4, slot: this.#parts.link, record }),
      options: { input: { target, clientName, server: this.#serverAt(), seed } },
    }
  })

  /**
   * Where the embedded server listens now. It is told of a target before the link is, and listens nowhere from then on.
   */
  #serverAt(): Nt4Address | null {
    return this.#server()?.getSnapshot().context.at ?? null
  }

  #server(): ActorRefFrom<typeof nt4ServerMachine> | undefined {
    return this.#supervisor.actor(NT4_SERVER) as ActorRefFrom<typeof nt4ServerMachine> | undefined
  }
}
