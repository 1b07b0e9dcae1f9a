// A client that does not read as fast as it is sent to: it is sent nothing until it has read most of that, and given up
// when that takes too long.

const MAX_UNREAD_BYTES = 1024 * 1024
const MAX_STALL_MS = 5_000

/** Whether so much is unread that no more should be sent. */
export const isCongested = (unreadBytes: number): boolean => unreadBytes > MAX_UNREAD_BYTES

/** Watches one client. unread: bytes that the system has not taken yet. stalled: it has not read for too long. */
export class Congestion {
  readonly #unread: () => number
  readonly #stalled: () => void
  #sinceMs: number | undefined

  constructor(unread: () => number, stalled: () => void) {
    this.#unread = unread
    this.#stalled = stalled
  }

  /** Whether it can be sent more. */
  takes(nowMs: number): boolean {
    if (!isCongested(this.#unread())) {
      this.#sinceMs = undefined
      return true
    }
    this.#sinceMs ??= nowMs
    if (nowMs - this.#sinceMs > MAX_STALL_MS) this.#stalled()
    return false
  }
}
