// Waiting for what a listener hears. Effect's own `callback` undoes what was begun only when the wait is interrupted:
// a listener that has heard what it waited for would stay, and hear on for ever.
import * as Effect from 'effect/Effect'

/**
 * Waits until `done` is called. listen: begins to listen, and returns the way to stop, which is called when
 * the wait ends, however it ends. `done` may be called at once.
 */
export const untilHeard = <A, E = never>(
  listen: (done: (how: Effect.Effect<A, E>) => void) => () => void,
): Effect.Effect<A, E> =>
  Effect.callback<A, E>((resume) => {
    let isOver = false
    let stop = () => {}
    const end = () => {
      isOver = true
      stop()
    }
    stop = listen((how) => {
      if (isOver) return
      end()
      resume(how)
    })
    if (isOver) stop()
    return Effect.sync(end)
  })

/** Waits until something is so. subscribe: calls its listener at each change, and returns the way to stop that. */
export const untilSo = (subscribe: (changed: () => void) => () => void, isSo: () => boolean): Effect.Effect<void> =>
  untilHeard<void>((done) => {
    const look = () => {
      if (isSo()) done(Effect.void)
    }
    const stop = subscribe(look)
    look()
    return stop
  })
