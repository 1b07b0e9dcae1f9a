// Whoever listens in systemd's place.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Lifetime } from '../lifetime.ts'
import { until } from '../until.ts'

/** Listens at a socket until the lifetime ends; what it heard. name: a path, or @ and a name. */
export const listenAt = async (t: Lifetime, name: string): Promise<readonly string[]> => {
  const program = join(import.meta.dirname, 'notify-socket.py')
  const child = spawn('python3', [program, name], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const heard: string[] = []
  createInterface(child.stdout).on('line', (line) => void heard.push(line))
  await until('the socket', () => heard.shift() === 'listening')
  return heard
}
