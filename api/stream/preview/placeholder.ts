// What viewers of a stream are shown while no picture comes: made when it is due, for as long as there are viewers.
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { Listeners } from '../../../machines/listeners.ts'
import { isPicture } from '../../../machines/stream/outputs.ts'
import { placeholderOf, wordsFor, wordsForOutput } from '../../../machines/viewers/placeholder.ts'

/** A camera that is opened again, because its stream was changed, is soon back: no words for so short a time. */
const GRACE_MS = 200

// Browsers show a part when the next one begins: so the second comes at once, and from then on they are repeated for
// who looks later.
const SECOND_MS = 100
const EVERY_MS = 1_000

/**
 * The placeholder of one stream, or of one output of its pipeline, shared by those who watch that. The engine repeats
 * it to those who are with it; all others are told each time.
 */
export class Placeholder {
  /** Of the pipeline; empty: the camera's pictures. */
  readonly output: string
  readonly #stream: StreamRuntime
  readonly #left: () => void
  readonly #shown = new Listeners<Uint8Array>()
  #inside = 0
  #stopListening: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #words = ''
  #jpeg: Uint8Array | null = null

  /** left: told when the last viewer has left. */
  constructor(stream: StreamRuntime, output: string, left: () => void) {
    this.output = output
    this.#stream = stream
    this.#left = left
  }

  /** What is shown instead of pictures now; null: these come, or will in a moment. */
  get jpeg(): Uint8Array | null {
    return this.#jpeg
  }

  /** Another viewer. Returns the way to leave. */
  enter(): () => void {
    this.#inside += 1
    if (this.#inside === 1) {
      const follow = () => this.#follow()
      const stops = [this.#stream.onMoved(follow), this.#stream.engine.applied.subscribe(follow)]
      this.#stopListening = () => {
        for (const stop of stops) stop()
      }
      follow()
    }
    return () => {
      this.#inside -= 1
      if (this.#inside > 0) return
      this.#stopListening?.()
      clearTimeout(this.#timer)
      // else it would keep one for each name that there ever was
      if (this.#jpeg && this.output !== '') this.#tellEngine(null)
      this.#left()
    }
  }

  /** Calls back whenever it is to be shown, and at once when it is in force. */
  subscribe(show: (jpeg: Uint8Array) => void): () => void {
    if (this.#jpeg) show(this.#jpeg)
    return this.#shown.add(show)
  }

  #follow(): void {
    clearTimeout(this.#timer)
    if (this.#wordsNow() !== null) this.#wait(this.#jpeg ? 0 : GRACE_MS, SECOND_MS)
    else if (this.#jpeg) {
      this.#jpeg = null
      this.#words = ''
      this.#tellEngine(null)
    }
  }

  #wait(ms: number, thenMs: number): void {
    this.#timer = setTimeout(() => {
      this.#show()
      this.#wait(thenMs, EVERY_MS)
    }, ms)
  }

  /** The words may change without the state: another fault. */
  #show(): void {
    const lines = this.#wordsNow()
    if (lines === null) return
    const words = lines.join('\n')
    if (words !== this.#words) {
      this.#words = words
      this.#jpeg = placeholderOf(lines, this.#stream.engine.opened.value)
      this.#tellEngine(this.#jpeg)
    }
    if (this.#jpeg) this.#shown.notify(this.#jpeg)
  }

  #tellEngine(jpeg: Uint8Array | null): void {
    this.#stream.engine.handover.value?.showInstead(jpeg, this.output)
  }

  #wordsNow(): readonly string[] | null {
    const { id, engine } = this.#stream
    const hasOutput = this.output === '' || !engine.applied.value || isPicture(engine.applied.value.value, this.output)
    return wordsFor(id, this.#stream.status()) ?? (hasOutput ? null : wordsForOutput(id, this.output))
  }
}
