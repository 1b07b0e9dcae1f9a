// Where a measurement takes place: a folder of its own, and everything it started ended afterwards.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Row } from './row.ts'

/** Deferred ends run in reverse order, also after a failure. say: tells the person who waits. */
export interface Lab {
  readonly folder: string
  readonly defer: (end: () => unknown) => void
  readonly say: (progress: string) => void
}

export type Measurement = (lab: Lab) => Promise<readonly Row[]>

export const inLab = async <T>(say: Lab['say'], work: (lab: Lab) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-bench-'))
  const ends: (() => unknown)[] = []
  try {
    return await work({ folder, defer: (end) => ends.push(end), say })
  } finally {
    for (const end of ends.reverse()) await end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const STOP_LIMIT_MS = 5_000

/** A process that tells its news in lines. */
export interface Helper {
  readonly pid: number
  /** The next line that it prints. Fails when it has ended. */
  readonly line: () => Promise<string>
  /** Writes a line to its standard input. */
  readonly tell: (line: string) => void
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<unknown>
  /** Asks it to end, and waits. */
  readonly stop: () => Promise<void>
}

/** Starts a program; it ends with the lab at the latest. What it says on stderr goes to ours. */
export const start = (
  lab: Lab,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Helper => {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env }, cwd: ROOT })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const stop = () => stopChild(child, ended)
  lab.defer(stop)
  return {
    pid: child.pid as number,
    line: async () => {
      const { value, done } = await lines.next()
      if (done) throw new Error(`${program} ended early`)
      return value as string
    },
    tell: (line) => child.stdin.write(`${line}\n`),
    kill: (signal) => child.kill(signal),
    ended,
    stop,
  }
}

const stopChild = async (child: ChildProcess, ended: Promise<unknown>): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const isLate = await Promise.race([ended.then(() => false), delay(STOP_LIMIT_MS, true, { ref: false })])
  if (isLate) child.kill('SIGKILL')
  await ended
}
