// A copy of this checkout in which set-up can be tried: with the addon as it is built here, but without npm, apt and,
// if wished, with a compiler that is watched.
import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Lifetime } from '../lifetime.ts'
import { temporaryFolder } from './daemon.ts'

const ROOT = join(import.meta.dirname, '../../..')
const COPIED = [
  ...['actors', 'api', 'machines', 'native', 'supervisors', 'ui', 'docs/help.txt', 'docs/generate-api.ts'],
  ...['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json'],
]

/** What only tests are made of is most of what is built, and nothing that is asked here. */
const OF_TESTS = ['scan_*', 'node_test*', 'stream_test*', 'capture_test*', 'jpeg_exam*', 'step', 'allocations']

/** A thousand files, in a third of the time that Node takes for it. All are new, as in a copied checkout. */
const copyCheckout = (folder: string): void => {
  const without = OF_TESTS.map((name) => `--exclude='build/${name}'`).join(' ')
  const copying = `tar -c ${without} ${COPIED.join(' ')} | tar -x -m -C "$0"`
  execFileSync('sh', ['-c', copying, folder], { cwd: ROOT })
}

/** How a command of a checkout ended. */
export interface Done {
  readonly code: number | null
  readonly output: string
}

/** A command of a checkout that runs in a process group of its own. */
export interface Running {
  readonly group: number
  /** What it has written so far. */
  readonly said: () => string
  /** What of that went to its standard output. */
  readonly answered: () => string
  readonly done: Promise<Done>
}

/** The copy. Its processes and files end with what it was made for. */
export interface Checkout {
  readonly folder: string
  readonly start: (command: string, ...args: readonly string[]) => Running
  /** Replaces a program on the path by a shell script. `$LOG` is a file for it to write to, which `logged` reads. */
  readonly replace: (program: string, script: string) => void
  readonly logged: () => readonly string[]
  readonly log: (line: string) => void
  /** Writes a file of the copy and dates it as wished. */
  readonly change: (path: string, edit: (text: string) => string, at: Date) => void
}

export const copiedCheckout = (t: Lifetime): Checkout => {
  const place = temporaryFolder()
  const folder = join(place, 'checkout')
  const programs = join(place, 'programs')
  const log = join(place, 'log')
  const groups = new Set<number>()
  t.after(() => {
    for (const group of groups) endGroup(group)
    rmSync(place, { recursive: true, force: true, maxRetries: 3 })
  })
  mkdirSync(programs)
  mkdirSync(folder)
  copyCheckout(folder)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))

  const replace: Checkout['replace'] = (program, script) => {
    writeFileSync(join(programs, program), `#!/bin/sh\n${script}\n`)
    chmodSync(join(programs, program), 0o755)
  }
  for (const program of ['npm', 'apt-get']) replace(program, `echo "${program} is not to be asked" >&2; exit 1`)

  return {
    folder,
    start: (command, ...args) => {
      const env = { ...process.env, PATH: `${programs}:${process.env.PATH}`, LOG: log }
      const child = spawn(command, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
      const group = child.pid as number
      groups.add(group)
      let [output, answer] = ['', ''] // two pipes: which of them is read first is not known
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => (output += text))
      child.stdout.on('data', (text) => (answer += text))
      const done = new Promise<Done>((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (code) => {
          groups.delete(group)
          resolve({ code, output })
        })
      })
      return { group, said: () => output, answered: () => answer, done }
    },
    replace,
    log: (line) => appendFileSync(log, `${line}\n`),
    logged: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []),
    change: (path, edit, at) => {
      const file = join(folder, path)
      writeFileSync(file, edit(readFileSync(file, 'utf8')))
      utimesSync(file, at, at)
    },
  }
}

/** Ends a process group with all that is in it. */
export const endGroup = (group: number): void => {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // it has ended by itself
  }
}

/** Gives every file below a folder, of the named kinds, another date. */
export const redate = (folder: string, kinds: RegExp, at: Date): void => {
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (each.isFile() && kinds.test(each.name)) utimesSync(join(each.parentPath, each.name), at, at)
}
