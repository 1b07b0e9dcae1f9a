// Calls that come in bunches, since components come and go in bunches.

const GATHER_MS = 30

/** Runs it a moment later, once for all calls until then. */
export const gathered = (run: () => void): (() => void) => {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      run()
    }, GATHER_MS)
  }
}
