// What happens at a rate, whatever comes of it.

const WAKE_MS = 4

/** Does something so often, `rate` times in a second by the clock: what was late is done at once. */
export const atRate = (
  { rate, count }: { readonly rate: number; readonly count: number },
  act: (n: number) => void,
): Promise<void> =>
  new Promise((resolve) => {
    const startMs = performance.now()
    let done = 0
    const timer = setInterval(() => {
      const due = Math.min(count, Math.floor(((performance.now() - startMs) * rate) / 1000) + 1)
      while (done < due) act(done++)
      if (done < count) return
      clearInterval(timer)
      resolve()
    }, WAKE_MS)
  })
