// Engines of a service that is not there any more. An engine ends by itself when its wire does, unless it is stopped,
// or hangs: then it would hold its camera for ever.
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { MODEL_FOLDER } from '../../models/folder.ts'

const ENGINE = /(^|\/)engine\/(process\/)?main\.(ts|mjs)$/ // as child.ts starts it, from sources and from the bundle
const END_LIMIT_MS = 3_000 // it may have a recording to bring to its end
const LOOK_EVERY_MS = 50

/**
 * Ends those that work for a data directory, which must be this service's own by now. Each is told to go on first, so
 * that one that was stopped can end as any other does. folder: the media of that directory. Answers with the process
 * ids that there were.
 */
export const endLeftEngines = async (folder: string): Promise<readonly number[]> => {
  const left = processIds().filter((pid) => isLeft(pid, folder))
  for (const pid of left) signal(pid, 'SIGCONT')
  for (let waitedMs = 0; waitedMs < END_LIMIT_MS && left.some((pid) => isLeft(pid, folder)); waitedMs += LOOK_EVERY_MS)
    await setTimeout(LOOK_EVERY_MS, undefined, { ref: false })
  for (const pid of left) if (isLeft(pid, folder)) signal(pid, 'SIGKILL')
  return left
}

const processIds = (): number[] => {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return [] // there is no such folder here
  }
}

/** Of a process that has ended, or is somebody else's, nothing can be read. */
const isLeft = (pid: number, folder: string): boolean => {
  try {
    if (!listIn(pid, 'cmdline').some((argument) => ENGINE.test(argument)) || parentOf(pid) === process.pid) return false
    const mark = `${MODEL_FOLDER}=`
    const [its] = listIn(pid, 'environ').filter((entry) => entry.startsWith(mark))
    return its !== undefined && isSameFolder(its.slice(mark.length), folder)
  } catch {
    return false
  }
}

const listIn = (pid: number, name: 'cmdline' | 'environ'): readonly string[] =>
  readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0')

/** What stands behind the name of the program, which may hold anything. */
const parentOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

const isSameFolder = (one: string, other: string): boolean => one === other || real(one) === real(other)

const real = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {} // it has ended
}
