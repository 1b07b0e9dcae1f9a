// Everything `npm test` checks, in the order in which a mistake is cheapest to hear of: types, lint and format, then all tests. In the end
// nothing of it may be left: no file in the folder that is all its temporary ones', and no process.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TEST_LIMIT_MS = 300_000 // the longest test takes 30 s on a busy machine; whatever a test forgot to limit is ended by the test's name

const bin = (name: string): string => `node_modules/.bin/${name}`
const tests = ['--test', '--test-concurrency=2', `--test-timeout=${TEST_LIMIT_MS}`]

const checks: readonly (readonly [title: string, command: string, args: readonly string[]])[] = [
  ['types', bin('tsc'), ['--noEmit', '-p', '.']],
  ['lint and format', bin('biome'), ['ci', '--error-on-warnings', '.']],
  ['capture tests', 'make', ['-s', '-j2', '-C', 'native/addon', 'capture-test']],
  ['tests', process.execPath, [...tests, ...globSync('test/**/*.test.ts').sort()]],
]

const room = mkdtempSync(join(tmpdir(), 'vedette-run-'))
const env = {
  ...process.env,
  TMPDIR: room,
  NODE_COMPILE_CACHE: join(process.cwd(), 'node_modules/.cache/test'), // each file is a process: saves it a quarter of a second of CPU time
}

/** What the checks have left behind: files, and processes, which are known by the environment that they were given. */
const leftovers = (): string[] => {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOurs(`/proc/${name}/environ`))
  for (const pid of processes) process.kill(Number(pid), 'SIGKILL')
  return [
    ...processes.map((pid) => `process ${pid}`),
    ...readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
  ]
}

const isOurs = (environ: string): boolean => {
  try {
    return readFileSync(environ, 'latin1').includes(`TMPDIR=${room}`)
  } catch {
    return false // it has ended meanwhile, or belongs to somebody else
  }
}

const failure = (): string | undefined => {
  for (const [title, command, args] of checks) {
    console.log(`== ${title}`)
    const { status, error } = spawnSync(command, args, { stdio: 'inherit', env })
    if (status !== 0) return `${title}: failed${error ? ` (${error.message})` : ''}`
  }
  return undefined
}

process.on('SIGINT', () => {}) // a terminal's Ctrl-C ends the check, and with it this, but not before it has tidied up
const failed = failure()
const left = leftovers()
rmSync(room, { recursive: true, force: true })
if (left.length > 0) console.error(`left behind:\n${left.join('\n')}`)
if (failed) console.error(failed)
process.exit(failed || left.length > 0 ? 1 : 0)
