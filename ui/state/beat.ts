// What changes again and again is drawn in one go: at the same moments, in one turn of the page, laid out and painted
// once. When each told for itself, a page with eight live pictures was painted 44 times in ten seconds instead of 28.
import { flushSync } from 'react-dom'

/** A little after the moments at which the worker tells of its pictures (in-step.ts): these are drawn as well. */
const AFTER_MS = 30
const TOLERANCE_MS = 4 // timers are no more exact

interface Waiting {
  readonly atMs: number
  readonly run: () => void
}

const waiting = new Set<Waiting>()
let timer: ReturnType<typeof setTimeout> | undefined

const arrange = (): void => {
  clearTimeout(timer)
  if (waiting.size === 0) return
  const firstMs = Math.min(...[...waiting].map(({ atMs }) => atMs))
  timer = setTimeout(beat, Math.max(0, firstMs - performance.now()))
}

const beat = (): void => {
  const untilMs = performance.now() + TOLERANCE_MS
  const due = [...waiting].filter(({ atMs }) => atMs <= untilMs)
  try {
    flushSync(() => {
      for (const each of due) if (waiting.delete(each)) runOne(each.run) // one before may have taken it back
    })
  } finally {
    arrange()
  }
}

/** One that has a bug costs the others nothing; the browser is told of it as of any other. */
const runOne = (run: () => void): void => {
  try {
    run()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

const untilBeat = (everyMs: number): number => (everyMs === 0 ? 0 : everyMs - ((Date.now() - AFTER_MS) % everyMs))

/**
 * Runs it at the next of the moments that are so far apart, ms, with all else that waits for them; 0: in the next turn.
 * Returns what takes it back.
 */
export const atBeat = (everyMs: number, run: () => void): (() => void) => {
  const each: Waiting = { atMs: performance.now() + untilBeat(everyMs), run }
  waiting.add(each)
  arrange()
  return () => {
    waiting.delete(each)
  }
}
