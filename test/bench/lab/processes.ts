// What a process has used, from /proc: CPU time to the nanosecond as the scheduler counts it, and memory.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const MICROSECONDS = 1e-3 // per nanosecond

/** CPU time of one thread since its start, µs, user and system. The main thread has its process's number. */
export const threadCpuUs = (pid: number, thread: number = pid): number =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) * MICROSECONDS

/** At most 15 characters. A thread that is given no name has that of the one that started it. */
export const threadName = (pid: number, thread: number): string =>
  readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trimEnd()

/** CPU time of all threads that a process has now, µs. */
export const processCpuUs = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadCpuUs(pid, Number(thread)), 0)

/**
 * Bytes that a process has read and written since its start, by whatever call: from and to files, pipes and sockets.
 */
export const bytesMoved = (pid: number): { readonly read: number; readonly written: number } => ({
  read: counted(pid, 'rchar'),
  written: counted(pid, 'wchar'),
})

/** Calls of the kernel by which a process has written since its start, to files, pipes and sockets. */
export const callsToWrite = (pid: number): number => counted(pid, 'syscw')

const counted = (pid: number, field: string): number =>
  Number(new RegExp(`^${field}: (\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])

/** Resident memory of a process, MB (1e6 bytes): what it shares with others counts in full. */
export const rssMb = (pid: number): number => kilobytes(`/proc/${pid}/status`, 'VmRSS')

/** The most that it was since its start, or since `restartPeakRss`. */
export const peakRssMb = (pid: number): number => kilobytes(`/proc/${pid}/status`, 'VmHWM')

/** Lets the peak begin again at what it is now. */
export const restartPeakRss = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Its proportional share of memory, MB: what n processes map counts an nth. */
export const pssMb = (pid: number): number => kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss')

/**
 * Its memory that no other process has, MB. Unlike its share it does not fall when one more process of the same program
 * runs.
 */
export const ownMb = (pid: number): number =>
  kilobytes(`/proc/${pid}/smaps_rollup`, 'Private_Clean') + kilobytes(`/proc/${pid}/smaps_rollup`, 'Private_Dirty')

const kilobytes = (file: string, field: string): number => {
  const [, kb] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8')) ?? []
  return (Number(kb) * 1024) / 1e6
}
