// Asks all clients at the same moments whether they are still there: a timer for each wakes the process five times a
// second for each, and finds its caches cold each time.
import type { Client } from './client.ts'

const EVERY_MS = 200 // as real servers

/** Its timer keeps nothing alive, and runs while there is a client. */
export class Probes {
  readonly #clients: ReadonlySet<Pick<Client, 'probe'>>
  #timer: NodeJS.Timeout | undefined

  constructor(clients: ReadonlySet<Pick<Client, 'probe'>>) {
    this.#clients = clients
  }

  /** Some have come or gone. */
  changed(): void {
    if (this.#clients.size > 0) this.#timer ??= setInterval(() => this.#tick(), EVERY_MS).unref()
    else this.#stop()
  }

  #tick(): void {
    for (const client of this.#clients) client.probe()
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
