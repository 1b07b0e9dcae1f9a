// What all hosts have in common, whatever does their work: it is made again when it ends.
import { afterCrash, defaultPolicy } from '../../../../machines/supervision/policy.ts'
import type { KeptHost } from './kept-host.ts'

/**
 * A host whose work is done by something that comes and goes: after a crash it is made again, with growing pauses. One
 * that has never begun has failed for good.
 */
export abstract class HostMadeAgain implements KeptHost {
  abstract readonly number: number
  abstract readonly isUsed: boolean
  labels: readonly string[] | undefined
  /** For good. */
  protected isEnded = false
  readonly #ready = Promise.withResolvers<void>()
  #hasBegun = false
  #readyMs: number | undefined
  #crashes = 0
  #restart: NodeJS.Timeout | undefined

  constructor() {
    this.#ready.promise.catch(() => {}) // told to whoever waits
  }

  get ready(): Promise<void> {
    return this.#ready.promise
  }

  abstract look(): void
  abstract end(): Promise<void>
  protected abstract start(): void
  /** Its channel is not found any more. */
  protected abstract close(): void
  /** Nothing does its work at present, and why. */
  protected abstract vacate(why: string): void

  /** Nothing makes it again. */
  protected endForGood(): void {
    this.isEnded = true
    clearTimeout(this.#restart)
  }

  /** It can be asked from now on. labels: names of the classes that it tells apart. */
  protected begun(labels: readonly string[] | undefined): void {
    this.#hasBegun = true
    this.#readyMs = performance.now()
    this.labels = labels
    this.#ready.resolve()
  }

  /** What did its work has ended. */
  protected gone(why: string): void {
    if (this.isEnded || !this.#hasBegun) this.#fail(this.isEnded ? 'the vision engine was ended meanwhile' : why)
    else this.#crashed(why)
  }

  #crashed(why: string): void {
    const ranMs = this.#readyMs === undefined ? 0 : performance.now() - this.#readyMs
    this.#readyMs = undefined
    const { crashes, delayMs } = afterCrash(defaultPolicy, this.#crashes, ranMs)
    this.#crashes = crashes
    this.vacate(why)
    this.#restart = setTimeout(() => this.start(), delayMs).unref()
  }

  #fail(why: string): void {
    this.isEnded = true
    this.close()
    this.#ready.reject(new Error(why))
  }
}
