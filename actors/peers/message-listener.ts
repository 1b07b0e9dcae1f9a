// Somebody in this process among those to whom messages of a peer are passed on.
import type { FrameViewer } from '../../native/tunnels/port.ts'

const [OPEN, CLOSED] = [1, 3]

/** Takes each message at once. It is over when the tunnel lets it go, or when it leaves. */
export class MessageListener implements FrameViewer {
  readonly OPEN = OPEN
  readonly CLOSED = CLOSED
  readonly bufferedAmount = 0
  readyState = OPEN
  readonly #take: (message: Buffer) => void
  readonly #left: (() => void)[] = []

  constructor(take: (message: Buffer) => void) {
    this.#take = take
  }

  send(message: Buffer): void {
    if (this.readyState === OPEN) this.#take(message)
  }

  once(_event: 'close', left: () => void): void {
    this.#left.push(left)
  }

  close(): void {
    this.terminate()
  }

  terminate(): void {
    if (this.readyState === CLOSED) return
    this.readyState = CLOSED
    for (const left of this.#left.splice(0)) left()
  }
}
