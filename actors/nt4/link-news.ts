// Tells everybody of the turns of the link to the robot, in the order in which they happen. Lives as long as the
// service, through all incarnations of the link.
import type { ActorRefFrom } from 'xstate'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import { nt4Link } from '../../machines/nt4/events.ts'
import { downView, isNews, linkView, type Nt4LinkView } from '../../machines/nt4/link-view.ts'
import { type nt4LinkMachine, nt4LinkStatus } from '../../machines/nt4/nt4-link-machine.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import type { EventBus } from '../events/event-bus.ts'

/** What the news are made of. link: holds the session while there is one. */
export interface LinkNewsParts {
  readonly events: EventBus
  readonly link: Latest<Nt4Session | undefined>
}

export class LinkNews {
  readonly #parts: LinkNewsParts
  #told: Nt4LinkView | undefined

  constructor(parts: LinkNewsParts) {
    this.#parts = parts
  }

  /** Tells how it is with an incarnation, and of each of its turns from now on. */
  follow(link: ActorRefFrom<typeof nt4LinkMachine>): void {
    const tell = (snapshot: Parameters<typeof nt4LinkStatus>[0]) =>
      this.#tell(linkView(nt4LinkStatus(snapshot), this.#parts.link.value))
    // That it ends with an error its supervisor says.
    link.subscribe({ next: tell, error: () => {} })
    tell(link.getSnapshot())
  }

  /** The incarnation has ended. */
  down(state: 'restarting' | 'failed', fault: Fault | null): void {
    this.#tell(downView(state, fault))
  }

  #tell(view: Nt4LinkView): void {
    if (!isNews(this.#told, view)) return
    this.#told = view
    this.#parts.events.publish(nt4Link, { resource_ref: {}, data: view })
  }
}
