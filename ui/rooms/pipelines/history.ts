// What was changed in the editor, one step after the other, so that each can be undone.

/** A document and how it was before. */
export interface History<T> {
  /** The oldest first. */
  readonly past: readonly T[]
  readonly now: T
  /** What was undone, the next one first. */
  readonly future: readonly T[]
  /** While something is being dragged: what it was before. All of the drag is one step. */
  readonly held: T | undefined
}

const MAX_STEPS = 200

/** Of a document that was just opened. */
export const startHistory = <T>(now: T): History<T> => ({ past: [], now, future: [], held: undefined })

const stepped = <T>(past: readonly T[], before: T): readonly T[] => [...past, before].slice(-MAX_STEPS)

/** A change that is a step of its own. */
export const changed = <T>(history: History<T>, now: T): History<T> => {
  const { past, now: before, held } = history
  if (now === before && held === undefined) return history
  return { past: stepped(past, held ?? before), now, future: [], held: undefined }
}

/** A change in the middle of a drag. */
export const dragged = <T>(history: History<T>, now: T): History<T> => ({
  ...history,
  now,
  held: history.held ?? history.now,
})

/** The end of a drag: from here on it is one step. isSame: whether a document is as it was. */
export const letGo = <T>(history: History<T>, isSame: (a: T, b: T) => boolean): History<T> => {
  const { held, now } = history
  if (held === undefined) return history
  return isSame(held, now) ? { ...history, now: held, held: undefined } : changed(history, now)
}

export const undone = <T>(history: History<T>): History<T> => {
  const { past, now, future, held } = history
  if (held !== undefined) return { ...history, now: held, held: undefined }
  const before = past.at(-1)
  return before === undefined ? history : { past: past.slice(0, -1), now: before, future: [now, ...future], held }
}

export const redone = <T>(history: History<T>): History<T> => {
  const { past, now, future, held } = history
  const [next, ...rest] = future
  return next === undefined || held !== undefined ? history : { past: [...past, now], now: next, future: rest, held }
}
