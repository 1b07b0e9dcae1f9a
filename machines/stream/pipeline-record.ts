// What became of the pipelines of a stream in its engines. An engine that ends tells nobody what it was about to do; so
// that is noted before, and what ended engines again and again is not begun by the next one.
import type { Fault } from '../errors/fault.ts'
import type { CanonicalGraph } from '../pipeline/graph.ts'
import { oneLine } from '../schema/one-line.ts'
import type { CanonicalManifest } from './manifest.ts'
import { cameraNeedsNoReopening, hasSamePipeline, sourceAlone } from './what-runs.ts'

/**
 * So many engines may end soon after they began with a pipeline: one or two have ended of something else, as of too
 * little memory.
 */
const MAX_LOST = 3

// What ended an engine is begun again after a minute, and each further time after twice as long: it may have been a
// brown-out, and nobody may be there to say so.
const MIN_ALONE_MS = 60_000
const MAX_ALONE_MS = 600_000

/** Of so many pipelines it is known what became of them. A team tries some in a row; it need not remember all. */
const MAX_KNOWN = 16

/** A pipeline that engines did not survive. */
interface Suspect {
  readonly manifest: CanonicalManifest
  /** How many engines ended by it. */
  readonly lost: number
  /** When it may be begun again. */
  readonly untilMs: number
  readonly fault: Fault
}

/** It outlives the engines of a stream, and ends with the service. */
export class PipelineRecord {
  readonly #nowMs: () => number
  /** About to be made, so as to be run. */
  #begun: CanonicalManifest | undefined
  /** What the engine runs. */
  #running: CanonicalManifest | undefined
  /** Being made by way of trial. */
  readonly #tried = new Set<CanonicalManifest>()
  /** What has run for a while: when an engine ends later, something else has ended it. */
  #proven: readonly CanonicalManifest[] = []
  /** What engines have run without ending, the newest first: the one that is wanted, and another. */
  #sound: readonly CanonicalGraph[] = []
  #suspects: readonly Suspect[] = []

  /** nowMs: of a clock that never goes back. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Another engine has started: what was left undone by the one before is nothing to it. */
  engineStarted(): void {
    this.#begun = undefined
    this.#running = undefined
    this.#tried.clear()
  }

  /** The engine is about to make the pipeline, and to run it. */
  begins(manifest: CanonicalManifest): void {
    this.#begun = manifest
  }

  /** It has not made it, and goes on. */
  refused(): void {
    this.#begun = undefined
  }

  /** It runs from now on. */
  runs(manifest: CanonicalManifest): void {
    this.#keepSound()
    this.#begun = undefined
    this.#running = manifest
  }

  /** What runs has done so for a while. */
  runsWell(): void {
    const manifest = this.#running
    if (!manifest) return
    this.#acquit(manifest)
    this.#proven = newestFirst(manifest, this.#proven)
    this.#keepSound()
  }

  /** The engine makes it by way of trial. Returns what is to be called when it has, or has refused to. */
  tries(manifest: CanonicalManifest): () => void {
    this.#tried.add(manifest)
    return () => void this.#tried.delete(manifest)
  }

  /** Somebody wants it run, and the engine can make it: whatever was before. */
  passed(manifest: CanonicalManifest): void {
    this.#acquit(manifest)
  }

  /** The engine has ended, or hangs: of what was tried, most likely; else of what it has just begun with. */
  engineLost(fault: Fault): void {
    const running = this.#running
    if (this.#tried.size > 0) {
      for (const each of this.#tried) this.#suspect(each, fault, this.#tried.size === 1 ? MAX_LOST : 1)
      this.#keepSound()
    } else if (this.#begun) {
      this.#suspectNew(this.#begun, fault)
      this.#keepSound()
    } else if (running?.pipeline === sourceAlone)
      this.forgive() // it ends without any pipeline as well
    else if (running) this.#suspectNew(running, fault)
    this.engineStarted()
  }

  /** Why a pipeline is not to be begun; undefined: it may be. */
  objection(manifest: CanonicalManifest): Fault | undefined {
    const suspect = this.#suspects.find((each) => isSame(each.manifest, manifest))
    if (!suspect || suspect.lost < MAX_LOST || this.#nowMs() >= suspect.untilMs) return undefined
    const minutes = Math.round(aloneMs(suspect.lost) / 60_000)
    return {
      code: 'pipeline.refused',
      detail: oneLine`
        engines that made the wanted one, or had just begun to run it, have ended. It is left alone for ${minutes}
        min, or until it, a model that it runs or the camera is changed, or the stream is restarted (POST restart).
        The last time: ${suspect.fault.detail}`,
    }
  }

  /** One that ran before and is another than this; undefined: none is known. */
  previous(manifest: CanonicalManifest): CanonicalGraph | undefined {
    return this.#sound.find((pipeline) => !hasSamePipeline({ pipeline }, manifest))
  }

  /** Something has changed that pipelines depend on, or somebody knows better: everything may be begun again. */
  forgive(): void {
    this.#suspects = []
  }

  #suspectNew(manifest: CanonicalManifest, fault: Fault): void {
    if (!this.#proven.some((each) => isSame(each, manifest))) this.#suspect(manifest, fault, 1)
  }

  #suspect(manifest: CanonicalManifest, fault: Fault, by: number): void {
    const before = this.#suspects.find((each) => isSame(each.manifest, manifest))
    this.#acquit(manifest)
    const lost = (before?.lost ?? 0) + by
    const suspect = { manifest, fault, lost, untilMs: this.#nowMs() + aloneMs(lost) }
    this.#suspects = [suspect, ...this.#suspects].slice(0, MAX_KNOWN)
  }

  #acquit(manifest: CanonicalManifest): void {
    this.#suspects = this.#suspects.filter((each) => !isSame(each.manifest, manifest))
  }

  /** What runs has not ended the engine. */
  #keepSound(): void {
    const manifest = this.#running
    if (!manifest || this.#suspects.some((each) => isSame(each.manifest, manifest))) return
    const others = this.#sound.filter((pipeline) => !hasSamePipeline({ pipeline }, manifest))
    this.#sound = [manifest.pipeline, ...others].slice(0, 2)
  }
}

const aloneMs = (lost: number): number => Math.min(MAX_ALONE_MS, MIN_ALONE_MS * 2 ** Math.max(0, lost - MAX_LOST))

/** To an engine. */
const isSame = (a: CanonicalManifest, b: CanonicalManifest): boolean =>
  cameraNeedsNoReopening(a, b) && hasSamePipeline(a, b)

const newestFirst = (newest: CanonicalManifest, known: readonly CanonicalManifest[]): readonly CanonicalManifest[] =>
  [newest, ...known.filter((each) => !isSame(each, newest))].slice(0, MAX_KNOWN)
