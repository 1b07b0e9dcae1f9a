// Shows where an update stands, and tells everybody of its turns, through all incarnations of the updater. Lives as
// long as the service.
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import { updateChanged } from '../../machines/update/events.ts'
import type { UpdateFigures } from '../../machines/update/progress.ts'
import { shownUpdate } from '../../machines/update/shown-update.ts'
import { type updateMachine, updateStateName } from '../../machines/update/update-machine.ts'
import { draftOf } from '../../machines/update/update-setup.ts'
import type { UpdateState } from '../../machines/update/update-state.ts'
import { type Clock, monotonicMs } from '../../native/clock/port.ts'
import type { UpdateBackend } from '../../native/update/port.ts'
import type { Directory } from '../directory.ts'
import { type StartTimer, startTimer } from '../timer.ts'
import type { RecordKeeper } from './record-keeper.ts'

/** What the news are made of. */
export interface UpdateNewsParts {
  readonly directory: Pick<Directory, 'actor' | 'events'> & { readonly clock: Pick<Clock, 'monotonicUs'> }
  readonly keeper: RecordKeeper
  readonly progress: Latest<UpdateFigures>
  /** Its kind may be known only after it was asked for the first time. */
  readonly backend: Pick<UpdateBackend, 'kind'>
  readonly later?: StartTimer
}

const MIN_BETWEEN_NEWS_MS = 250

export class UpdateNews {
  readonly #parts: UpdateNewsParts
  readonly #later: StartTimer
  readonly #unsubscribe: () => void
  #steadyFromMs: number | null = null
  #told = ''
  #toldAtMs = Number.NEGATIVE_INFINITY
  #stopTimer: (() => void) | null = null

  constructor(parts: UpdateNewsParts) {
    this.#parts = parts
    this.#later = parts.later ?? startTimer
    this.#unsubscribe = parts.progress.subscribe(() => this.#tellSoon())
  }

  /** Tells how it is with an incarnation, and of each of its turns from now on. */
  follow(updater: ActorRefFrom<typeof updateMachine>): void {
    const see = (snapshot: SnapshotFrom<typeof updateMachine>) => {
      const isSteady = snapshot.matches({ trial: { watched: 'steady' } })
      if (isSteady) this.#steadyFromMs ??= this.#nowMs()
      else this.#steadyFromMs = null
      this.#tellSoon()
    }
    updater.subscribe({ next: see, error: () => {} }) // that it ends with an error its supervisor says
    see(updater.getSnapshot())
  }

  /** As it is now. */
  readonly view = (): UpdateState | Fault => {
    const snapshot = this.#parts.directory.actor('update')?.getSnapshot()
    if (!snapshot) return { code: 'actor.unavailable', detail: 'the updater is being restarted; try again in a second' }
    const state = updateStateName(snapshot)
    const { context } = snapshot
    if (state === null) {
      const detail = context.fault?.detail ?? 'what is kept of updates is being read; try again in a second'
      return { code: 'actor.unavailable', detail }
    }
    const { keeper, progress, backend } = this.#parts
    return shownUpdate({
      state,
      step: stepOf(snapshot),
      context,
      record: keeper.stamp(draftOf(state, context)),
      figures: progress.value ?? { bytes: 0, totalBytes: null },
      backend: backend.kind,
      healthyMs: this.#steadyFromMs === null ? 0 : this.#nowMs() - this.#steadyFromMs,
    })
  }

  end(): void {
    this.#unsubscribe()
    this.#stopTimer?.()
  }

  #nowMs(): number {
    return monotonicMs(this.#parts.directory.clock)
  }

  #tellSoon(): void {
    if (this.#stopTimer) return
    const waitMs = this.#toldAtMs + MIN_BETWEEN_NEWS_MS - this.#nowMs()
    if (waitMs <= 0) this.#tell()
    else
      this.#stopTimer = this.#later(Math.ceil(waitMs), () => {
        this.#stopTimer = null
        this.#tell()
      })
  }

  #tell(): void {
    const document = this.view()
    if ('code' in document) return
    const text = JSON.stringify(document)
    if (text === this.#told) return
    this.#told = text
    this.#toldAtMs = this.#nowMs()
    this.#parts.directory.events.publish(updateChanged, { resource_ref: {}, data: document })
  }
}

const stepOf = (snapshot: SnapshotFrom<typeof updateMachine>): 'paused' | 'waiting' | null => {
  if (snapshot.matches({ receiving: 'paused' }) || snapshot.matches({ receiving: 'resuming' })) return 'paused'
  return snapshot.matches({ applying: 'waiting' }) || snapshot.matches({ scheduled: 'waiting' }) ? 'waiting' : null
}
