// Requests of a robot that take a while: slots, pictures and clips, each one at a time and within its limit of
// frequency.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { WriteKey } from '../../machines/extcam/writes/keys.ts'
import { TokenBucket } from '../../machines/limits/token-bucket.ts'
import { LatestWinsTask } from './latest-wins-task.ts'
import type { RobotOperations } from './robot-operations.ts'

export interface RobotTaskParts {
  readonly operations: RobotOperations
  /** How many the stream has processed. */
  readonly frames: () => number
  /** Of a clock that nobody sets. */
  readonly nowMs: () => number
  /** Says why something that a key asked for did not come about. */
  readonly complain: (key: WriteKey, code: 'extcam.bad_write' | 'extcam.write_failed', why: string) => void
}

/** Each takes the disk. A robot that switches there and back at the start of a match does not wait. */
const SWITCHES = { capacity: 4, perSecond: 1 }
const FRAMES_PER_PICTURE = 10 // as the vendor's camera takes them
// or so: our frames are results, and a robot that leaves most frames out has one in seconds
const PICTURE_EVERY_MS = 500
const CLIP_EVERY_MS = 2_000 // the same

export class RobotTasks {
  readonly #parts: RobotTaskParts
  readonly #switches = new TokenBucket(SWITCHES)
  readonly #slot = new LatestWinsTask<number>()
  readonly #picture = new LatestWinsTask<void>()
  readonly #clip = new LatestWinsTask<void>()
  #framesAtPicture = Number.NEGATIVE_INFINITY
  #pictureMs = Number.NEGATIVE_INFINITY
  #clipMs = Number.NEGATIVE_INFINITY
  #isSavingClip = false

  constructor(parts: RobotTaskParts) {
    this.#parts = parts
  }

  orderSlot(slot: number): void {
    this.#slot.order(slot)
  }

  orderPicture(): void {
    const frames = this.#parts.frames()
    const nowMs = this.#parts.nowMs()
    const isSoon = frames - this.#framesAtPicture < FRAMES_PER_PICTURE && nowMs - this.#pictureMs < PICTURE_EVERY_MS
    if (isSoon) return
    this.#framesAtPicture = frames
    this.#pictureMs = nowMs
    this.#picture.order()
  }

  orderClip(): void {
    const nowMs = this.#parts.nowMs()
    if (this.#isSavingClip || nowMs - this.#clipMs < CLIP_EVERY_MS) return
    this.#clipMs = nowMs
    this.#isSavingClip = true
    this.#clip.order()
  }

  /** Carries out, for ever, what is ordered. */
  readonly carryOut: Effect.Effect<never> = Effect.suspend(() => {
    const each = [
      Effect.forever(Effect.andThen(this.#slot.ordered, this.#switch)),
      Effect.forever(Effect.andThen(this.#picture.ordered, this.#take)),
      Effect.forever(Effect.andThen(this.#clip.ordered, this.#save)),
    ]
    return Effect.andThen(Effect.all(each, { concurrency: 'unbounded' }), Effect.never)
  })

  /** Each switch is stored: a robot that writes other numbers all the time is followed once a second. */
  readonly #switch = Effect.suspend(() => {
    const { operations, nowMs, complain } = this.#parts
    const switched = Effect.suspend(() => {
      const slot = this.#slot.take()
      if (slot === undefined || operations.hasSlot(slot)) return Effect.void
      this.#switches.takeAtMost(1, nowMs())
      return orElse(operations.switchTo(slot), ({ code, detail }) => {
        const why = code === 'slot.empty' ? 'extcam.bad_write' : 'extcam.write_failed'
        complain('pipeline', why, `pipeline ${slot} changes nothing: ${detail}`)
      })
    })
    return Effect.delay(switched, this.#switches.waitMs(1, nowMs()))
  })

  readonly #take = Effect.suspend(() => {
    const { operations, complain } = this.#parts
    this.#picture.take()
    return orElse(operations.takePicture, ({ detail }) =>
      complain('snapshot', 'extcam.write_failed', `no picture was taken: ${detail}`),
    )
  })

  readonly #save = Effect.suspend(() => {
    const { operations, complain } = this.#parts
    this.#clip.take()
    const saved = orElse(operations.saveRewind, ({ detail }) =>
      complain('capture_rewind', 'extcam.write_failed', `no clip was saved: ${detail}`),
    )
    const over = Effect.sync(() => {
      this.#isSavingClip = false
    })
    return Effect.ensuring(saved, over)
  })
}

const orElse = (program: Effect.Effect<void, Fault>, failed: (why: Fault) => void): Effect.Effect<void> =>
  Effect.catch(program, (why) => Effect.sync(() => failed(why)))
