// What sessions run: a fixed list, as far as the programs are on this device.
import { access, constants, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { CONSOLE_PROGRAMS, type ConsoleMeans, type ConsoleProgram } from '../../machines/console/session.ts'
import { unitIn } from '../programs/control-group.ts'
import type { WantedProgram } from './port.ts'
import { hasPty } from './pty.ts'
import type { ProgramLine } from './wire.ts'

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const LOG_LINES = '200' // before those that come

interface Line {
  readonly name: string
  readonly args: readonly string[]
}

/** Of each program the command lines that do, the best first. */
const linesOf = async (program: ConsoleProgram): Promise<readonly Line[]> => {
  if (program === 'shell')
    return [
      { name: 'bash', args: ['--login'] },
      { name: 'sh', args: ['-l'] },
    ]
  if (program === 'top')
    return [
      { name: 'htop', args: [] },
      { name: 'top', args: [] },
    ]
  const unit = await ownUnit()
  return unit === undefined
    ? []
    : [{ name: 'journalctl', args: ['--follow', '--no-pager', '-n', LOG_LINES, '-u', unit] }]
}

/** The unit of systemd that this service is; undefined: it is none. */
const ownUnit = async (): Promise<string | undefined> => {
  const text = await readFile('/proc/self/cgroup', 'utf8').catch(() => '')
  return unitIn(text)
}

const findFile = async (name: string): Promise<string | undefined> => {
  for (const folder of PATH.split(delimiter)) {
    const path = join(folder, name)
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}

const findLine = async (program: ConsoleProgram): Promise<(Line & { readonly file: string }) | undefined> => {
  for (const line of await linesOf(program)) {
    const file = await findFile(line.name)
    if (file !== undefined) return { ...line, file }
  }
  return undefined
}

/** The command line of a session. Rejects with a sentence where there is no such program. mark: for its environment. */
export const programLine = async (
  { program, columns, rows }: WantedProgram,
  mark: Readonly<Record<string, string>>,
): Promise<ProgramLine> => {
  const line = await findLine(program)
  if (!line) throw new Error(`there is no program for "${program}" on this device`)
  const { username, homedir } = userInfo()
  const folder = await access(homedir, constants.X_OK).then(
    () => homedir,
    () => '/',
  )
  const { LANG = 'C.UTF-8', TZ } = process.env
  const env = {
    PATH,
    HOME: homedir,
    USER: username,
    LOGNAME: username,
    SHELL: line.file,
    LANG,
    ...(TZ !== undefined && { TZ }),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    ...mark,
  }
  return { file: line.file, args: line.args, env, folder, columns, rows }
}

/** What there is. */
export const lookAround = async (): Promise<ConsoleMeans> => {
  const [found, status] = await Promise.all([
    Promise.all(CONSOLE_PROGRAMS.map(findLine)),
    readFile('/proc/self/status', 'utf8').catch(() => ''),
  ])
  const programs = CONSOLE_PROGRAMS.filter((_, n) => found[n])
  const why = hasPty() ? 'the device has no shell' : `terminals are not built for ${process.platform} ${process.arch}`
  return {
    user: userInfo().username,
    programs,
    absent: hasPty() && programs.includes('shell') ? null : why,
    hasNoNewRights: /^NoNewPrivs:\s*1/m.test(status),
  }
}
