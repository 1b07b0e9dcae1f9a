import { readFileSync } from 'node:fs'

const TICKS_PER_S = 100 // USER_HZ, the same on all of Linux
const OWN_TIMES = [13, 17] as const // utime, stime, cutime and cstime of proc_pid_stat(5), counted from 0

const ticks = (text: string): number => text.split(/\s+/).reduce((sum, each) => sum + Number(each), 0)

/** What this process has computed, with all children that have ended and were waited for. */
export const cpuSecondsOf = (stat = readFileSync('/proc/self/stat', 'latin1')): number => {
  const behindName = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // from the third field on: a name may have spaces
  const [from, to] = OWN_TIMES
  return ticks(behindName.slice(from - 2, to - 2).join(' ')) / TICKS_PER_S
}

/** The time of all processors together since the start of the machine, and how much of it nobody took. */
export interface MachineTime {
  readonly totalS: number
  readonly idleS: number
}

/** Reads the first line of proc_stat(5). */
export const machineTime = (stat = readFileSync('/proc/stat', 'latin1')): MachineTime => {
  const [line = ''] = stat.split('\n')
  const [, user, nice, system, idle = '0', waiting = '0', ...rest] = line.split(/\s+/)
  const idleTicks = ticks(`${idle} ${waiting}`)
  const [irq, softirq, steal] = rest
  const all = idleTicks + ticks([user, nice, system, irq, softirq, steal].join(' '))
  return { totalS: all / TICKS_PER_S, idleS: idleTicks / TICKS_PER_S }
}

/** How much of the machine was there for who took `ownS` of it, from 0 to 1: the rest went to others. */
export const shareOfMachine = (from: MachineTime, to: MachineTime, ownS: number): number => {
  const total = to.totalS - from.totalS
  return total <= 0 ? 1 : Math.min(1, Math.max(0.01, (to.idleS - from.idleS + ownS) / total))
}
