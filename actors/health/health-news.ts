// Tells everybody when a part of the service fails or recovers. Lives as long as the service.
import { healthChanged } from '../../machines/health/events.ts'
import { healthPartOf, healthStatusOf } from '../../machines/health/part.ts'
import type { Directory, Part } from '../directory.ts'
import { type StartTimer, startTimer } from '../timer.ts'

/** What it works with. */
export interface HealthNewsParts {
  readonly directory: Pick<Directory, 'events' | 'parts'>
  readonly startTimer?: StartTimer
}

const MIN_PAUSE_MS = 1_000 // of one part: it may fall and rise in each turn of a loop

/** A part whose fault was told a moment ago, or has not gone. */
interface Told {
  /** What was wrong; undefined: nothing. */
  wrong: string | undefined
  /** Stops the pause; undefined: there is none. */
  stop: (() => void) | undefined
}

export class HealthNews {
  readonly #parts: HealthNewsParts
  readonly #told = new Map<string, Told>()

  constructor(parts: HealthNewsParts) {
    this.#parts = parts
  }

  /** A part may be another than it was. */
  look(name: string, found: Part | undefined): void {
    const told = this.#told.get(name)
    const wrong = wrongWith(found)
    if (wrong === told?.wrong || told?.stop) return
    this.#told.set(name, { wrong, stop: this.#pause(name) })
    const { events, parts } = this.#parts.directory
    const data = { status: healthStatusOf(parts()), part: found ? healthPartOf(found) : null }
    events.publish(healthChanged, { resource_ref: { part_name: name }, data })
  }

  /** Nothing is told any more. */
  end(): void {
    for (const { stop } of this.#told.values()) stop?.()
    this.#told.clear()
  }

  #pause(name: string): () => void {
    const start = this.#parts.startTimer ?? startTimer
    return start(MIN_PAUSE_MS, () => {
      const told = this.#told.get(name)
      if (!told) return
      told.stop = undefined
      if (told.wrong === undefined) this.#told.delete(name)
      const found = this.#parts.directory.parts().find((part) => part.name === name)
      this.look(name, found)
    })
  }
}

const wrongWith = (part: Part | undefined): string | undefined =>
  part?.fault ? `${part.state === 'failed'} ${part.fault.code} ${part.fault.detail}` : undefined
