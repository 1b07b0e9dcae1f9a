// Shares of the control group that systemd lets this service divide (`Delegate=` of its unit): a program in one gets so
// much of the processor and of the memory, and the kernel sees to it.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = '/sys/fs/cgroup'

/** Where in it the service and its engines are: none may be beside the shares. */
const OWN = 'own'

const PERIOD_US = 100_000
const MIB = 1024 ** 2
const CONFINING = 4 // processes of what confines a program, and of its start
const TRIES = 5 // another engine may be started at the same moment
const GONE_EVERY_MS = 50
const GONE_LIMIT_MS = 5_000

export interface ShareLimits {
  readonly memory_mb: number
  readonly processes: number
  /** Of one core. */
  readonly cpu_percent: number
}

/** The part of a group in which one program and all that it starts are. */
export interface Share {
  readonly folder: string
  /** Whether the kernel has ended something in it, since it took more memory than it may. */
  readonly hasTakenTooMuch: () => boolean
  /** Ends all that is left in it. */
  readonly giveBack: () => void
}

/** Of the unit of systemd that a line of /proc/self/cgroup names; undefined: the group is nobody's to divide. */
export const dividedGroup = (text: string): string | undefined =>
  /^0::(\/.*\/[\w@:.\\-]+\.service)(?:\/own)?$/m.exec(text)?.[1]

/** The name of the unit of systemd in which a process is, of its /proc/PID/cgroup. */
export const unitIn = (text: string): string | undefined => dividedGroup(text)?.split('/').at(-1)

let made = 0

/** undefined: this service has no group that it may divide. root: where the groups are, for tests. */
export const shareOf = (limits: ShareLimits, root = ROOT, own = '/proc/self/cgroup'): Share | undefined => {
  try {
    const group = dividedGroup(readFileSync(own, 'utf8'))
    if (group === undefined) return undefined
    const base = join(root, group)
    divide(base)
    made += 1
    const folder = join(base, `program-${process.pid}-${made}`)
    mkdirSync(folder)
    limit(folder, limits)
    return { folder, hasTakenTooMuch: () => hasTakenTooMuch(folder), giveBack: () => giveBack(folder) }
  } catch {
    return undefined // it is not ours, or this is no cgroup2: what confines the program says so
  }
}

/** All that is in it moves into a part of it, since the kernel divides a group only when nothing is in it itself. */
const divide = (base: string): void => {
  const own = join(base, OWN)
  if (!existsSync(own)) mkdirSync(own)
  for (let tries = 1; ; tries++) {
    for (const pid of readFileSync(join(base, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) move(pid, own)
    try {
      writeFileSync(join(base, 'cgroup.subtree_control'), '+cpu +memory +pids')
      return
    } catch (error) {
      if (tries === TRIES) throw error
    }
  }
}

const move = (pid: string, into: string): void => {
  try {
    writeFileSync(join(into, 'cgroup.procs'), pid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it has ended meanwhile
  }
}

const limit = (folder: string, { memory_mb, processes, cpu_percent }: ShareLimits): void => {
  const set = (file: string, value: string) => writeFileSync(join(folder, file), value)
  set('cpu.max', `${Math.round((cpu_percent / 100) * PERIOD_US)} ${PERIOD_US}`)
  set('memory.max', String(memory_mb * MIB))
  set('pids.max', String(processes + CONFINING))
  set('memory.oom.group', '1')
  set('cpu.weight', '1')
  try {
    set('memory.swap.max', '0')
    set('cpu.idle', '1') // it has what all others leave, as far as its share goes; Linux 5.15
  } catch {
    // an older kernel: the smallest weight is next to nothing as well
  }
}

const hasTakenTooMuch = (folder: string): boolean => {
  try {
    return /^oom_kill [1-9]/m.test(readFileSync(join(folder, 'memory.events'), 'utf8'))
  } catch {
    return false
  }
}

const giveBack = (folder: string, untilMs = performance.now() + GONE_LIMIT_MS): void => {
  try {
    writeFileSync(join(folder, 'cgroup.kill'), '1') // Linux 5.14; what confines it has ended them as well
  } catch {
    // gone, or not there
  }
  try {
    rmdirSync(folder)
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isGone && performance.now() < untilMs) setTimeout(() => giveBack(folder, untilMs), GONE_EVERY_MS).unref()
  }
}
