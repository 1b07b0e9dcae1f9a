// A process that is killed in the midst of its work, whatever it does just then.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { arrival } from '../until.ts'

/** How the process is started. */
export interface KilledOptions {
  /** Beside that of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** Told of each line when it comes. */
  readonly heard?: (line: string) => void
}

/**
 * Runs Node with these arguments, kills it as soon as it has written so many lines, and waits for its end.
 *
 * Returns all the lines that it wrote: those too that were still in the pipe.
 */
export const killedAfter = (
  lines: number,
  args: readonly string[],
  { env, heard = () => {} }: KilledOptions = {},
): Promise<readonly string[]> => {
  const options = { env: { ...process.env, ...env } }
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const written: string[] = []
  const listen = async () => {
    for await (const line of createInterface(child.stdout)) {
      heard(line)
      if (written.push(line) === lines) child.kill('SIGKILL')
    }
    await ended
    return written
  }
  return arrival(`the end of a process after ${lines} lines`, listen(), () => written)
}
