// The engines of a service, among the programs that it has started.
import { readFileSync } from 'node:fs'

/** A process of the system, by its number. */
interface Running {
  readonly pid: number | undefined
}

const isEngine = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/engine/')
  } catch {
    return false // it has ended meanwhile
  }
}

/** The numbers of the engines that a service runs as processes. */
export const enginesOf = ({ pid }: Running): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number).filter(isEngine)
