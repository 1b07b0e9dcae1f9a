// All guided captures: what each sees, for readers, and whether somebody is there; and their pictures, for who solves.
import * as Effect from 'effect/Effect'
import type { KeptCapture } from '../../machines/calibration/capture/capture.ts'
import { captureCollection } from '../../machines/calibration/capture/collection.ts'
import { type CaptureView, captureNewsOf, NOTHING_SEEN } from '../../machines/calibration/capture/view.ts'
import { captureSeen } from '../../machines/calibration/events.ts'
import type { FoundCorner } from '../../machines/calibration/task.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import { isSameJson } from '../../machines/settings/same-json.ts'
import { documentOf, documentsOf, type StoredValue } from '../../machines/settings/store.ts'
import type { Directory } from '../directory.ts'
import { type CalibrationCaptures, type CapturedPictures, captureNotFound } from './captures.ts'

/** What they need. */
export interface CaptureRegistryParts {
  readonly directory: Pick<Directory, 'settings' | 'events' | 'clock'>
  readonly onBug: OnBug
}

/** The captures that are stored. */
export class CaptureRegistry implements CalibrationCaptures {
  readonly #directory: CaptureRegistryParts['directory']
  readonly #views = new Map<string, CaptureView>()
  readonly #told = new Map<string, unknown>()
  readonly #askedMs = new Map<string, number>()
  readonly #asked: Listeners<string>

  constructor({ directory, onBug }: CaptureRegistryParts) {
    this.#directory = directory
    this.#asked = new Listeners(onBug)
  }

  /** Undefined: there is none, or it was deleted. */
  stored(id: string): StoredValue<KeptCapture> | undefined {
    return documentOf(this.#directory.settings, captureCollection, id)
  }

  all(): Readonly<Record<string, StoredValue<KeptCapture>>> {
    return documentsOf(this.#directory.settings, captureCollection)
  }

  viewOf(id: string): CaptureView {
    return this.#views.get(id) ?? NOTHING_SEEN
  }

  /** Its actor says what it sees: those who listen are told of what is new in it. */
  show(id: string, view: CaptureView): void {
    const kept = this.stored(id)?.value
    if (!kept) return
    this.#views.set(id, view)
    const data = captureNewsOf(kept, view)
    if (isSameJson(this.#told.get(id), data)) return
    this.#told.set(id, data)
    this.#directory.events.publish(captureSeen, { resource_ref: { capture_id: id, stream_id: kept.stream_id }, data })
  }

  /** It is gone. */
  forget(id: string): void {
    this.#views.delete(id)
    this.#told.delete(id)
    this.#askedMs.delete(id)
  }

  /** Somebody asks for it. */
  ask(id: string): void {
    this.#askedMs.set(id, this.#directory.clock.nowMs())
    this.#asked.notify(id)
  }

  /** When somebody asked for it last, Unix time; 0: nobody has. */
  askedMs(id: string): number {
    return this.#askedMs.get(id) ?? 0
  }

  /** Calls back with the id of a capture whenever somebody asks for it. */
  onAsked(asked: (id: string) => void): () => void {
    return this.#asked.add(asked)
  }

  picturesOf(id: string): Effect.Effect<CapturedPictures, Fault> {
    return Effect.suspend(() => {
      const kept = this.stored(id)?.value
      return kept ? Effect.succeed(capturedIn(kept)) : Effect.fail(captureNotFound(id))
    })
  }
}

const NO_BOARD = { family: '', columns: 0, rows: 0, starts_white: false, marker_share: 0 } as const

const capturedIn = ({ stream_id, board, width_px, height_px, pictures }: KeptCapture): CapturedPictures => ({
  stream_id,
  board: {
    ...(board ?? NO_BOARD),
    fitting_share: 1,
    pictures: pictures.map(({ corners }) => ({
      width_px: width_px ?? 0,
      height_px: height_px ?? 0,
      markers: 0, // they are not kept, and nobody asks for them
      corners: corners as unknown as readonly FoundCorner[],
    })),
  },
  names: pictures.map(({ media_id }, at) => ({ name: media_id ?? `picture ${at + 1}`, media_id })),
})
