// A journal of its own: systemd-journald alone in a namespace, with none of the system's.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { linuxPrograms } from '../../../native/programs/linux.ts'
import type { ProgramOrder, ProgramsPort } from '../../../native/programs/port.ts'
import type { Lifetime } from '../lifetime.ts'
import { until } from '../until.ts'

const JOURNALD = '/lib/systemd/systemd-journald'
// of files alone: with processes of its own, whoever reads would have to be one of them, and be ended through another
const UNSHARE = ['--mount', '--propagation', 'private']
const BEGIN = `
  mount -t tmpfs tmpfs /run && mount -t tmpfs tmpfs /var/log && mkdir -p /run/systemd/journal /run/log/journal
  if ! [ -s /etc/machine-id ]; then
    echo 0123456789abcdef0123456789abcdef > /run/machine-id && mount --bind /run/machine-id /etc/machine-id
  fi
  printf '[Journal]\\nRateLimitBurst=0\\nReadKMsg=no\\n' > /run/journald.conf
  mount --bind /run/journald.conf /etc/systemd/journald.conf
  exec ${JOURNALD}
`

/** Why there can be none here; false: there can. */
export const noJournal = (): string | false => {
  if (!existsSync(JOURNALD)) return 'needs systemd-journald (Debian package systemd)'
  return spawnSync('unshare', [...UNSHARE, 'true']).status === 0 ? false : 'no namespaces can be made here (unshare)'
}

/** A journal until the test ends. */
export interface OwnJournal {
  /** Programs that see it. */
  readonly programs: ProgramsPort
  /** The `journalctl` that this process has started. */
  readonly readers: () => readonly number[]
  /** Has lines written, each with its priority before it: `<4>text`. */
  readonly write: (lines: readonly string[]) => void
  /** Runs a program in it. */
  readonly run: (...words: readonly string[]) => string
}

export const ownJournal = async (t: Lifetime): Promise<OwnJournal> => {
  const child = spawn('unshare', [...UNSHARE, 'sh', '-ec', BEGIN], { stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'spawn')
  const enter = ['--mount', '--target', String(child.pid)]
  const run = (...words: readonly string[]) => spawnSync('nsenter', [...enter, ...words], { encoding: 'utf8' }).stdout
  await until('a journal', () => run('journalctl', '--quiet', '-n', '1', '-o', 'cat'))
  const real = linuxPrograms()
  const inIt = (order: ProgramOrder): ProgramOrder => ({
    ...order,
    program: 'nsenter',
    args: [...enter, order.program, ...order.args],
  })
  return {
    programs: { run: (order) => real.run(inIt(order)), listen: (order, told) => real.listen(inIt(order), told) },
    run,
    readers: ownChildren,
    write: (lines) => {
      spawnSync('nsenter', [...enter, 'systemd-cat', '-t', 'probe'], { input: `${lines.join('\n')}\n` })
    },
  }
}

const ownChildren = (): readonly number[] =>
  readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '))
    .filter((pid) => pid !== '' && nameOf(pid) === 'journalctl')
    .map(Number)

const nameOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return '' // it has just ended
  }
}
