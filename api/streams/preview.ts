// Live previews: MJPEG straight to the sockets of their viewers. A viewer lives from its request until it leaves, falls silent, or its stream is deleted.
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import type { Picture, PictureWatch } from '../../machines/stream/picture.ts'
import type { Clock } from '../../native/clock/port.ts'
import { hijack } from '../connections/connections.ts'

/** Each costs a core about 1 % at 30 fps. */
export const MAX_VIEWERS = 64

const BOUNDARY = 'vedette-picture'
export const PREVIEW_MEDIA_TYPE = `multipart/x-mixed-replace; boundary=${BOUNDARY}`

/** A viewer that has not taken a single picture for this long is gone or asleep; when it wakes up it asks again. */
const STALL_LIMIT_US = 30_000_000

const KEEP_ALIVE_MS = 10_000 // notices a peer that vanished while its stream stood still

/** What a viewer sees, and at most how often. fps 0: every picture. */
export interface View {
  readonly clock: Clock
  readonly stream: StreamRuntime
  readonly watch: PictureWatch
  readonly fps: number
}

/** All viewers of the service. */
export class Previews {
  readonly #viewers = new Set<() => void>()

  /** Whether MAX_VIEWERS are there already. */
  get isFull(): boolean {
    return this.#viewers.size >= MAX_VIEWERS
  }

  /** Takes the connection over and shows pictures on it until it closes. */
  show(reply: FastifyReply, view: View): void {
    const socket = hijack(reply, { 'content-type': PREVIEW_MEDIA_TYPE, 'cache-control': 'no-store' })
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    const end = () => socket.destroySoon()
    const stop = play(socket, view)
    const stopListening = view.stream.onDeleted(end)
    this.#viewers.add(end)
    socket.once('close', () => {
      stop()
      stopListening()
      view.watch.release()
      this.#viewers.delete(end)
    })
  }

  endAll(): void {
    for (const end of this.#viewers) end()
  }
}

/** Writes the newest picture whenever the socket has taken the one before. */
const play = (socket: Socket, { watch, fps, clock }: View): (() => void) => {
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
      heldSinceUs = picture.captured_us
      socket.write(NOTHING, release) // calls back when all before it is gone; a callback on every picture costs a fifth of the whole
    }
    waiting = picture
    if (picture.captured_us - heldSinceUs > STALL_LIMIT_US) socket.destroy()
  }
  const release = (): void => {
    const picture = waiting
    waiting = undefined
    if (picture && socket.writable) socket.write(partOf(picture, clock))
  }

  socket.write(`--${BOUNDARY}\r\n`)
  const newest = watch.pictures.value
  if (newest) offer(newest)
  return watch.pictures.subscribe(offer)
}

const NOTHING = new Uint8Array(0)

/** Lets through what keeps to a rate, by the time of capture. A quarter of a period early is in time: cameras jitter. */
const limiter = (fps: number): ((picture: Picture) => boolean) => {
  if (fps === 0) return () => true
  const periodUs = 1e6 / fps
  let dueUs = 0
  return ({ captured_us }) => {
    if (captured_us < dueUs - periodUs / 4) return false
    dueUs = (captured_us - dueUs > periodUs ? captured_us : dueUs) + periodUs
    return true
  }
}

const parts = new WeakMap<Picture, Buffer>()
const END_OF_PART = Buffer.from(`\r\n--${BOUNDARY}\r\n`) // with the next boundary at once: browsers wait for it before they show a picture

/** A picture as a part of the answer: made once, written to every viewer. */
const partOf = (picture: Picture, clock: Clock): Buffer => {
  const known = parts.get(picture)
  if (known) return known
  const head = Object.entries({
    'Content-Type': 'image/jpeg',
    'Content-Length': picture.jpeg.length,
    ...pictureHeaders(picture, clock),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const part = Buffer.concat([Buffer.from(`${head.join('')}\r\n`), picture.jpeg, END_OF_PART])
  parts.set(picture, part)
  return part
}

/** X-Timestamp: when the picture was taken, Unix time in seconds. X-Sequence: the number of its frame. */
export const pictureHeaders = (picture: Picture, clock: Clock): Record<string, string> => ({
  'X-Timestamp': (clock.nowMs() / 1000 - (clock.monotonicUs() - picture.captured_us) / 1e6).toFixed(6),
  'X-Sequence': String(picture.seq),
})
