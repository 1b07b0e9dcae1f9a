// How much is taken of a program that may say anything, at any rate: what is beyond it waits in the kernel, and with it
// the one who says it.

/** What may come in a second, and at once. */
export interface IntakeRate {
  readonly messages: number
  readonly bytes: number
}

/** How the source is held. */
export interface IntakeSource {
  readonly pause: () => void
  readonly resume: () => void
}

const SLICE_BYTES = 2048 // some hundred of the shortest messages: no turn of the loop takes longer than they do
const SLICES_IN_A_TURN = 16
const LOOK_AGAIN_MS = 20

/** Takes the bytes of one source, at the rate that it may have. */
export class Intake {
  readonly #rate: IntakeRate
  readonly #source: IntakeSource
  readonly #push: (slice: Buffer) => void
  readonly #nowMs: () => number
  #messages: number
  #bytes: number
  #atMs: number
  #held: Buffer | undefined
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  constructor(rate: IntakeRate, source: IntakeSource, push: (slice: Buffer) => void, nowMs = () => performance.now()) {
    this.#rate = rate
    this.#source = source
    this.#push = push
    this.#nowMs = nowMs
    this.#messages = rate.messages
    this.#bytes = rate.bytes
    this.#atMs = nowMs()
  }

  /** A message was among what is being pushed. */
  count(): void {
    this.#messages -= 1
  }

  /** The chunk need not last. */
  take(chunk: Buffer): void {
    if (this.#isOver) return
    if (this.#held) this.#held = Buffer.concat([this.#held, chunk])
    else this.#takeNow(chunk)
  }

  /** Nobody says anything more: takes what it still may and drops the rest, so that the source comes to its end. */
  finish(): void {
    clearTimeout(this.#timer)
    const held = this.#held
    this.#held = undefined
    if (held) this.#takeNow(held)
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#held = undefined
    this.#source.resume()
  }

  #takeNow(chunk: Buffer): void {
    this.#refill()
    let at = 0
    for (let slices = 0; at < chunk.length && slices < SLICES_IN_A_TURN && this.#hasRoom(); slices += 1) {
      const slice = chunk.subarray(at, at + SLICE_BYTES)
      at += slice.length
      this.#bytes -= slice.length
      this.#push(slice)
    }
    if (at === chunk.length && this.#hasRoom()) return
    this.#held = Buffer.from(chunk.subarray(at))
    this.#source.pause()
    this.#timer = setTimeout(() => this.#again(), this.#hasRoom() ? 0 : LOOK_AGAIN_MS)
  }

  #again(): void {
    const held = this.#held ?? Buffer.alloc(0)
    this.#held = undefined
    this.#takeNow(held)
    if (!this.#held) this.#source.resume()
  }

  #hasRoom(): boolean {
    return this.#messages > 0 && this.#bytes > 0
  }

  #refill(): void {
    const nowMs = this.#nowMs()
    const seconds = (nowMs - this.#atMs) / 1_000
    this.#atMs = nowMs
    this.#messages = Math.min(this.#rate.messages, this.#messages + this.#rate.messages * seconds)
    this.#bytes = Math.min(this.#rate.bytes, this.#bytes + this.#rate.bytes * seconds)
  }
}
