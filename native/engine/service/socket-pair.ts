// A pair of connected sockets, one to keep and one to give to a child process.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// One for all engines, as each chunk is used up before the next is read. Larger than what the kernel holds for one
// socket.
const incoming = Buffer.allocUnsafeSlow(256 * 1024)

/**
 * Makes the pair. `ours` calls onBytes with chunks that are valid only during the call; `theirs` is not read from here.
 *
 * A child's own 'pipe' would do but for its price: its socket allocates 64 KiB for each chunk, which takes two thirds
 * of the time of receiving a result. A buffer of one's own can be given only to a socket that connects, so the pair
 * meets in a folder that is closed to others.
 */
export const socketPair = async (
  onBytes: (chunk: Buffer) => void,
): Promise<{ readonly ours: Socket; readonly theirs: Socket }> => {
  const folder = makeFolder()
  const server = createServer({ pauseOnConnect: true })
  try {
    const path = join(folder, 'wire')
    server.listen(path)
    await once(server, 'listening')
    const onread = {
      buffer: incoming,
      callback: (length: number) => {
        onBytes(incoming.subarray(0, length))
        return true
      },
    }
    const ours = connect({ path, onread })
    const [[theirs]] = (await Promise.all([once(server, 'connection'), once(ours, 'connect')])) as [[Socket], unknown]
    return { ours, theirs }
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In memory, where the system has such a folder: the disk may be full when an engine has to be started again. */
const makeFolder = (): string => {
  let failure: unknown
  for (const folder of ['/dev/shm', tmpdir()]) {
    try {
      return mkdtempSync(join(folder, 'vedette-engine-'))
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
