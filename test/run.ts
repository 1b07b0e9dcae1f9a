// Everything `npm test` checks (test/times/checks.ts), or the parts that are given. In the end nothing of it may be
// left: no file in the folder that is all its temporary ones', and no process. --list: only says which parts there are.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { shortOrLong } from './support/long.ts'
import { until } from './support/until.ts'
import { type Check, parts, rowsOf } from './times/checks.ts'

const MINUTE_MS = 60_000
// all tests take 5 min on a busy machine; a file that its timers or sockets keep alive is left behind then
const CHECK_LIMIT_MS = shortOrLong(45, 90) * MINUTE_MS

const GRACE_MS = 20_000 // the engine of a service that was killed ends by itself, on a busy machine not at once

const [, , ...asked] = process.argv
if (asked.includes('--list')) {
  console.log(parts().join('\n'))
  process.exit()
}
const chosen = rowsOf(asked)

const room = mkdtempSync(join(tmpdir(), 'vedette-run-'))
const env = {
  ...process.env,
  TMPDIR: room,
  TESTED_SERVICE: join(process.cwd(), '.bundle/main.mjs'), // starts in half the time that the sources take
  // each file is a process: saves it a quarter of a second of CPU time
  NODE_COMPILE_CACHE: join(process.cwd(), 'node_modules/.cache/test'),
}

/** The processes that the checks have started, known by the environment they were given: their numbers and commands. */
const processes = (): [pid: number, command: string][] =>
  readdirSync('/proc').flatMap((name): [number, string][] => {
    try {
      if (!/^\d+$/.test(name) || !readFileSync(`/proc/${name}/environ`, 'latin1').includes(`TMPDIR=${room}`)) return []
      return [[Number(name), readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')]]
    } catch {
      return [] // it has ended meanwhile, or belongs to somebody else
    }
  })

/** What is left of the checks, which is ended and removed: processes that do not end by themselves, and files. */
const leftovers = async (): Promise<string[]> => {
  const staying = await until('their end', processes, ({ length }) => length === 0, GRACE_MS).catch(processes)
  for (const [pid] of staying) process.kill(pid, 'SIGKILL')
  const files = readdirSync(room, { recursive: true, encoding: 'utf8' })
  rmSync(room, { recursive: true, force: true })
  return [...staying.map(([pid, command]) => `process ${pid}: ${command}`), ...files.map((name) => join(room, name))]
}

/** What one came to: why it has failed, if it has. isShown: at once; else it is shown when it has ended. */
const failureOf = async ({ title, command, args }: Check, isShown: boolean): Promise<string | undefined> => {
  if (isShown) console.log(`== ${title}`)
  const child = spawn(command, args, { stdio: isShown ? 'inherit' : 'pipe', env, timeout: CHECK_LIMIT_MS })
  const said = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
  try {
    const [code, signal] = await once(child, 'close')
    if (!isShown) console.log([`== ${title}`, ...(await said)].filter(Boolean).join('\n'))
    return code === 0 ? undefined : `${title}: failed${signal ? ` (${signal})` : ''}`
  } catch (error) {
    return `${title}: failed (${error})`
  }
}

/** The first of a row is shown as it goes. */
const failure = async (): Promise<string | undefined> => {
  for (const row of chosen) {
    const failures = await Promise.all(row.map((check, n) => failureOf(check, n === 0)))
    const failed = failures.filter((each) => each !== undefined)
    if (failed.length > 0) return failed.join('\n')
  }
  return undefined
}

process.on('SIGINT', () => {}) // a terminal's Ctrl-C ends the check, and with it this, but not before it has tidied up
const failed = await failure()
const left = await leftovers()
if (left.length > 0) console.error(`left behind:\n${left.join('\n')}`)
if (failed) console.error(failed)
process.exit(failed || left.length > 0 ? 1 : 0)
