// Reads a device file in a process of its own, `cat`: a read of such a file waits in the kernel until samples come and
// cannot be called back. In this process it would hold one of the few threads that all files share, for ever when the
// chip falls silent. A process can be ended at any time, costs a wake-up for each batch, and ends with its output.
import { spawn } from 'node:child_process'

const MAX_COMPLAINT_LENGTH = 1_024

/**
 * told: bytes, as they come. ended: once, with what it says of why; not when it is stopped. Returns the way to stop.
 */
export const readBytes = (
  path: string,
  told: (bytes: Uint8Array) => void,
  ended: (why: string) => void,
): (() => Promise<void>) => {
  const child = spawn('cat', [path], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { LC_ALL: 'C', PATH: process.env.PATH },
  })
  let isStopped = false
  let complaint = ''
  const end = (why: string) => {
    if (isStopped) return
    isStopped = true
    ended(why)
  }
  const gone = new Promise<void>((resolve) => {
    child.once('error', ({ message }) => {
      end(message)
      resolve()
    })
    child.once('close', () => {
      end(
        complaint
          .trim()
          .split('\n')
          .at(-1)
          ?.replace(/^cat: /, '') || 'it ended',
      )
      resolve()
    })
  })
  if (child.pid === undefined) return () => gone // where no file can be opened it has no pipes, either
  child.stdout.on('data', (bytes: Buffer) => {
    if (!isStopped) told(bytes)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-MAX_COMPLAINT_LENGTH)
  })
  return async () => {
    isStopped = true
    child.kill('SIGKILL')
    child.stdout.destroy()
    await gone
  }
}
