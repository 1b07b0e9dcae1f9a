// Fair turns: of all sockets with more bytes than their share in one turn of the event loop, one goes on in each turn.

/** A socket that has to wait. */
export interface Waiting {
  /** How often it had to of late; the one that had to least goes on first. */
  readonly late: number
  /**
   * What dealing with it has cost more than bytes do, 0 if it has not. All that cost time have a third of it together:
   * a process that never rests is served last by a busy system.
   */
  readonly costMs: number
  readonly goOn: () => void
}

const REST = 2 // for each millisecond
const MAX_REST_MS = 20
const FREE_TURNS = 4 // whose burst is over by then does not rest

let number = 0
let isCounting = false
let restMs = 0 // up to this moment nobody goes on who costs time
let isResting = false
const waiting = new Set<Waiting>()

const next = (): void => {
  isCounting = false
  number += 1
  const leftMs = restMs - performance.now()
  let first: Waiting | undefined
  for (const each of waiting) {
    if (leftMs > 0 && each.costMs > 0 && each.late > FREE_TURNS) continue
    if (!first || each.late < first.late) first = each
  }
  if (first) {
    waiting.delete(first)
    first.goOn()
  }
  if (waiting.size === 0) return
  if (first || leftMs <= 0) count()
  else if (!isResting) {
    isResting = true
    setTimeout(endRest, leftMs)
  }
}

const endRest = (): void => {
  isResting = false
  count()
}

const count = (): void => {
  if (isCounting) return
  isCounting = true
  setImmediate(next) // behind all that other sockets have brought
}

/** The present turn. */
export const turnNow = (): number => {
  count()
  return number
}

/** Lets a socket go on in a later turn. */
export const waitForTurn = (one: Waiting): void => {
  waiting.add(one)
  const nowMs = performance.now()
  restMs = Math.min(Math.max(restMs, nowMs) + REST * one.costMs, nowMs + MAX_REST_MS)
  count()
}

/** Takes a socket out of the queue. */
export const leaveTurns = (one: Waiting): void => {
  waiting.delete(one)
}
