// The embedded NT4 server and the link to the robot, both kept at what the NT4 settings say.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { ActorRefFrom } from 'xstate'
import { nt4LinkActor } from '../actors/nt4-link.ts'
import { nt4ServerActor } from '../actors/nt4-server.ts'
import type { Fault } from '../machines/fault.ts'
import type { nt4LinkMachine } from '../machines/nt4-link.ts'
import type { nt4ServerMachine } from '../machines/nt4-server.ts'
import type { Nt4Address } from '../machines/nt4-target.ts'
import type { Nt4Port } from '../native/nt4/port.ts'
import { converge } from './converge.ts'
import type { LiveDirectory } from './live-directory.ts'
import type { Life, Supervisor } from './supervisor.ts'

/** Names of the children, as health shows them. */
export const NT4_SERVER = 'nt4-server'
export const NT4_LINK = 'nt4-link'

/** What a device's NT4 needs. note: records a fault. listening: told where the embedded server listens. seed: 0 to 1, another one on each device. */
export interface Nt4Parts {
  readonly port: Nt4Port
  readonly persistentFile: string
  readonly note: (fault: Fault) => void
  readonly listening: (at: Nt4Address) => void
  readonly seed: number
}

export class Nt4Supervisor {
  readonly #supervisor: Supervisor
  readonly #directory: LiveDirectory
  readonly #parts: Nt4Parts
  #aimed: string | undefined

  constructor(supervisor: Supervisor, directory: LiveDirectory, parts: Nt4Parts) {
    this.#supervisor = supervisor
    this.#directory = directory
    this.#parts = parts
  }

  /** Starts both and follows the settings for as long as the scope. */
  run(): Effect.Effect<void, never, Scope.Scope> {
    const { port: nt4, persistentFile, note, seed } = this.#parts
    const aim = () => this.#directory.nt4Settings().value
    const watch = (changed: () => void) => {
      const subscription = this.#directory.settings.subscribe(changed)
      return () => subscription.unsubscribe()
    }
    const server = Effect.sync(() => ({
      logic: nt4ServerActor({ nt4, persistentFile, note }),
      options: { input: { target: aim().target } },
    }))
    const link = Effect.sync(() => ({
      logic: nt4LinkActor({ nt4, slot: this.#directory.nt4, note }),
      options: {
        input: {
          target: aim().target,
          clientName: aim().client_name,
          server: this.#server()?.getSnapshot().context.at ?? null,
          seed,
        },
      },
    }))
    return Effect.gen({ self: this }, function* () {
      yield* this.#supervisor.start({ id: NT4_SERVER, incarnate: server })
      yield* this.#supervisor.start({ id: NT4_LINK, incarnate: link })
      yield* converge(
        [watch],
        Effect.sync(() => this.#aim()),
      )
    })
  }

  /** The link hears from each new server where it listens. */
  note(life: Life): void {
    if (life.type !== 'started' || life.id !== NT4_SERVER) return
    this.#server()?.on('server.listening', ({ at }) => {
      this.#parts.listening(at)
      this.#link()?.send({ type: 'server.listening', at })
    })
  }

  /** Only when the aim itself changed: to set it again would cut a pause between two attempts short. */
  #aim(): void {
    const { target, client_name: clientName } = this.#directory.nt4Settings().value
    const aim = JSON.stringify([target, clientName])
    if (aim === this.#aimed) return
    this.#aimed = aim
    this.#server()?.send({ type: 'target.set', ask: 0, target })
    this.#link()?.send({ type: 'target.set', ask: 0, target, clientName })
  }

  #server(): ActorRefFrom<typeof nt4ServerMachine> | undefined {
    return this.#supervisor.actor(NT4_SERVER) as ActorRefFrom<typeof nt4ServerMachine> | undefined
  }

  #link(): ActorRefFrom<typeof nt4LinkMachine> | undefined {
    return this.#supervisor.actor(NT4_LINK) as ActorRefFrom<typeof nt4LinkMachine> | undefined
  }
}
