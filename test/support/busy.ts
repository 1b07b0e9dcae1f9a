// A machine that others keep busy.
import { spawn } from 'node:child_process'
import type { TestContext } from 'node:test'

/** Starts processes that compute until the test ends, each of them as much as it is let. */
export const keepBusy = (t: TestContext, count: number): void => {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  const end = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  process.once('exit', end)
  t.after(() => {
    end()
    process.off('exit', end)
  })
}
