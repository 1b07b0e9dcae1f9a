// The processes of a console session: those of its terminal, and those that have left it and carry its mark in their
// environment. A shell that is hung up does not end what was started with nohup or setsid.
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { SESSION_MARK } from './wire.ts'

const HANG_UP_LIMIT_MS = 500 // an editor that saves what was typed takes 100
const KILL_LIMIT_MS = 2_000
const LOOK_EVERY_MS = 20

/** Which processes. terminal: the process id of the first one of a terminal. */
export interface SessionProcesses {
  readonly isMark: (mark: string) => boolean
  readonly terminal?: number
}

/**
 * Ends them: they are told that the terminal is gone, and killed when they do not heed that. Done when none is left, or
 * is not to be ended: those of other users, by sudo.
 */
export const endProcesses = async (which: SessionProcesses): Promise<void> => {
  await signalAll(which, ['SIGHUP', 'SIGCONT'], HANG_UP_LIMIT_MS)
  await signalAll(which, ['SIGKILL'], KILL_LIMIT_MS)
}

const signalAll = async (
  which: SessionProcesses,
  signals: readonly NodeJS.Signals[],
  limitMs: number,
): Promise<void> => {
  const told = new Set<number>()
  for (let waitedMs = 0; waitedMs <= limitMs; waitedMs += LOOK_EVERY_MS) {
    const left = await processesOf(which)
    if (left.length === 0) return
    // what was started meanwhile is told as well
    for (const pid of left) {
      if (told.has(pid)) continue
      told.add(pid)
      for (const name of signals) signal(pid, name)
    }
    await setTimeout(LOOK_EVERY_MS)
  }
}

/** Their ids, without this process. */
export const processesOf = async (which: SessionProcesses): Promise<readonly number[]> => {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger)
  const found = await Promise.all(pids.map((pid) => isOf(pid, which)))
  return pids.filter((pid, n) => found[n] && pid !== process.pid)
}

/** Of a process that has ended, or is somebody else's, nothing can be read. */
const isOf = async (pid: number, { isMark, terminal }: SessionProcesses): Promise<boolean> => {
  const stat = await statOf(pid)
  if (!stat || stat.state === 'Z') return false
  if (terminal !== undefined && stat.session === terminal) return true
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  const mark = `${SESSION_MARK}=`
  return environment.split('\0').some((entry) => entry.startsWith(mark) && isMark(entry.slice(mark.length)))
}

/** What stands behind the name of the program, which may hold anything. foreground: a group of processes; -1: none. */
export const statOf = async (
  pid: number,
): Promise<{ readonly state: string; readonly session: number; readonly foreground: number } | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const [state = '', , , session, , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state, session: Number(session), foreground: Number(foreground) }
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {} // it has ended
}
