// Pictures written from here: the ones that reach this process, to a viewer that no engine serves.
import type { Socket } from 'node:net'
import type { Picture, PictureWatch } from '../../../machines/stream/picture.ts'
import type { Clock } from '../../../native/clock/port.ts'
import { partOf, placeholderPart } from './picture-part.ts'
import type { Placeholder } from './placeholder.ts'

/** A viewer that has not taken a single picture for this long is gone or asleep; when it wakes up it asks again. */
export const STALL_LIMIT_MS = 30_000

/** What a viewer sees, and at most how often. fps 0: every picture. placeholder: what it sees while none comes. */
export interface Look {
  readonly clock: Clock
  readonly watch: PictureWatch
  readonly placeholder: Placeholder
  readonly fps: number
}

/**
 * Writes the newest picture whenever the socket has taken the one before. Returns the way to stop: nothing is begun any
 * more.
 */
export const play = (socket: Socket, { watch, fps, clock, placeholder }: Look): (() => void) => {
  const isDue = limiter(fps)
  let waiting: Picture | undefined // the newest, while the socket still holds an older one
  let heldSinceUs = 0

  const offer = (picture: Picture): void => {
    if (!isDue(picture)) return
    if (socket.writableLength === 0) socket.write(partOf(picture, clock))
    else hold(picture)
  }
  const hold = (picture: Picture): void => {
    if (waiting === undefined) {
      heldSinceUs = clock.monotonicUs()
      // calls back when all before it is gone; a callback on every picture costs a fifth of the whole
      socket.write(NOTHING, release)
    }
    waiting = picture
    if (clock.monotonicUs() - heldSinceUs > STALL_LIMIT_MS * 1000) socket.destroy()
  }
  const release = (): void => {
    const picture = waiting
    waiting = undefined
    if (picture && socket.writable) socket.write(partOf(picture, clock))
  }

  let behindSinceUs: number | undefined // while no pictures come that would show it
  const showInstead = (jpeg: Uint8Array): void => {
    if (socket.writableLength === 0) {
      behindSinceUs = undefined
      socket.write(placeholderPart(jpeg))
      return
    }
    behindSinceUs ??= clock.monotonicUs()
    if (clock.monotonicUs() - behindSinceUs > STALL_LIMIT_MS * 1000) socket.destroy()
  }

  const newest = watch.pictures.value
  if (newest && !placeholder.jpeg) offer(newest)
  const stops = [watch.pictures.subscribe(offer), placeholder.subscribe(showInstead)]
  return () => {
    for (const stop of stops) stop()
    waiting = undefined
  }
}

const NOTHING = new Uint8Array(0)

/**
 * Lets through what keeps to a rate, by the time of capture. A quarter of a period early is in time: cameras jitter.
 * One that is earlier than the last is of a camera that was opened again, while the times before ran ahead of the
 * clock, as those of a file do that is played as fast as it goes. An engine does the same
 * (native/addon/viewers/viewer.cc).
 */
export const limiter = (fps: number): ((picture: Pick<Picture, 'captured_us'>) => boolean) => {
  if (fps === 0) return () => true
  const periodUs = 1e6 / fps
  let dueUs = 0
  return ({ captured_us }) => {
    if (captured_us < dueUs - 2 * periodUs) dueUs = captured_us
    if (captured_us < dueUs - periodUs / 4) return false
    dueUs = (captured_us - dueUs > periodUs ? captured_us : dueUs) + periodUs
    return true
  }
}
