// What those who watch a stream are shown while no picture comes: made when it is due, for as long as somebody watches.
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { Listeners } from '../../machines/listeners.ts'
import { placeholderOf, wordsFor } from '../../machines/viewers/placeholder.ts'

/** A camera that is opened anew, because its stream was changed, is soon back: no words for so short a time. */
const GRACE_MS = 200

// Browsers show a part when the next one begins: so the second comes at once, and from then on they are repeated for who looks later.
const SECOND_MS = 100
const EVERY_MS = 1_000

/** The placeholder of one stream, shared by its viewers. The engine repeats it to those who are with it; all others are told each time. */
export class Placeholder {
  readonly #stream: StreamRuntime
  readonly #left: () => void
  readonly #shown = new Listeners<Uint8Array>()
  #inside = 0
  #stopListening: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #words = ''
  #jpeg: Uint8Array | null = null

  /** left: told when the last viewer has left. */
  constructor(stream: StreamRuntime, left: () => void) {
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
      this.#stopListening = this.#stream.onMoved(() => this.#follow())
      this.#follow()
    }
    return () => {
      this.#inside -= 1
      if (this.#inside > 0) return
      this.#stopListening?.()
      clearTimeout(this.#timer)
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
      this.#stream.door.value?.showInstead(null)
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
      this.#jpeg = placeholderOf(lines, this.#stream.opened.value)
      this.#stream.door.value?.showInstead(this.#jpeg)
    }
    if (this.#jpeg) this.#shown.notify(this.#jpeg)
  }

  #wordsNow(): readonly string[] | null {
    return wordsFor(this.#stream.id, this.#stream.status())
  }
}
