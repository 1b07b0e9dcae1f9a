// The IMU for recordings: what it said in the last moments is kept for as long as somebody may need it, and goes to the
// side-car of each file that is being recorded.
import { ImuTrack } from '../../machines/recording/imu-track.ts'
import type { Imu } from '../imu/tokens.ts'

/** Somebody who needs the last moments. */
export interface ImuHold {
  /** How far back, µs; it may be set again. */
  spanUs: number
  readonly release: () => void
}

/** One for all recordings. It listens to the IMU only while somebody holds it. */
export class ImuRecorder {
  readonly track = new ImuTrack()
  readonly #imu: Pick<Imu, 'listen'>
  readonly #holds = new Map<ImuHold, () => void>()
  #stop: (() => void) | undefined

  constructor(imu: Pick<Imu, 'listen'>) {
    this.#imu = imu
  }

  /** heard: called when there is more. */
  hold(spanUs: number, heard: () => void = () => {}): ImuHold {
    const hold: ImuHold = { spanUs, release: () => this.#release(hold) }
    this.#holds.set(hold, heard)
    this.#stop ??= this.#imu.listen((batch) => {
      this.track.add(batch)
      this.#heard()
    })
    return hold
  }

  #heard(): void {
    let spanUs = 0
    for (const [hold, heard] of this.#holds) {
      spanUs = Math.max(spanUs, hold.spanUs)
      heard()
    }
    this.track.forgetBefore(this.track.newestUs - spanUs)
  }

  #release(hold: ImuHold): void {
    this.#holds.delete(hold)
    if (this.#holds.size > 0) return
    this.#stop?.()
    this.#stop = undefined
    this.track.clear()
  }
}

/** When the first picture was taken is known a second after that at the latest. */
const KEPT_US = 5_000_000

/** A crash loses no more. */
const WRITE_EACH_US = 500_000

/** Lines that are made in one go: some milliseconds. */
const MAX_AT_ONCE = 2_000

/** The lines of one file. */
export class ImuNotes {
  readonly #track: ImuTrack
  readonly #hold: ImuHold
  readonly #append: (lines: string) => boolean
  #zeroUs: number | undefined
  #writtenUs = Number.NEGATIVE_INFINITY

  /** append: false when the lines cannot be taken now. */
  constructor(recorder: ImuRecorder, append: (lines: string) => boolean) {
    this.#track = recorder.track
    this.#append = append
    this.#hold = recorder.hold(KEPT_US, () => this.#heard())
  }

  /** When the first picture of the file was taken, CLOCK_MONOTONIC, µs. */
  begin(firstUs: number): void {
    if (this.#zeroUs !== undefined) return
    this.#zeroUs = firstUs
    this.#writtenUs = firstUs - 1
  }

  /** Writes some of the rest up to then. True: there is more, so call it again. */
  finish(untilUs: number): boolean {
    return this.#zeroUs !== undefined && this.#write(untilUs)
  }

  /** Nothing is written any more. */
  release(): void {
    this.#hold.release()
  }

  #heard(): void {
    if (this.#track.newestUs - this.#writtenUs >= WRITE_EACH_US && this.#zeroUs !== undefined)
      this.#write(Number.POSITIVE_INFINITY)
  }

  #write(untilUs: number): boolean {
    const { lines, lastUs, hasMore } = this.#track.lines(this.#writtenUs, untilUs, this.#zeroUs as number, MAX_AT_ONCE)
    if (lines === '' || !this.#append(lines)) return false
    this.#writtenUs = lastUs
    return hasMore
  }
}
