// Services whose clock is not that of this machine: the kernel gives one to anybody, where user namespaces are allowed.
import { spawnSync } from 'node:child_process'
import { monotonicUs } from '../../../native/clock/system.ts'

const S_US = 1_000_000

/**
 * The command that starts another with a CLOCK_MONOTONIC that is ahead by whole seconds, or behind. That of its
 * children is the same.
 */
export const withClockAhead = (seconds: number): readonly string[] => [
  ...['unshare', '--user', '--map-root-user', '--time', '--monotonic', String(seconds)],
]

const isAhead = (seconds: number): boolean => {
  const [unshare = '', ...words] = withClockAhead(seconds)
  const read = 'console.log(String(process.hrtime.bigint() / 1000n))'
  const { status, stdout } = spawnSync(unshare, [...words, process.execPath, '--eval', read], { encoding: 'utf8' })
  return status === 0 && Number(stdout) - monotonicUs() > (seconds - 1) * S_US
}

/** Why such a test is skipped; false: it can be done. */
export const noOtherClock: string | false = isAhead(5_000)
  ? false
  : 'no process can be given another clock here (unshare --time: user and time namespaces may be switched off)'
