// Has packages looked through and unpacked by a child: what is wrong with one costs that child at most, and none of it
// is ever in the memory of the service.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Fault } from '../../../machines/errors/fault.ts'
import { refusedPackage } from '../../../machines/plugins/package/manifest-rules.ts'
import { jsonIn } from '../../../machines/schema/json.ts'
import type { LookedThrough, PackageWorker } from './unpack.ts'

// In a bundle this file is part of a larger one.
const CHILD = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? 'child.ts' : '../plugins/package.mjs', import.meta.url),
)

/** 256 MB on a slow card, with their syncs. */
const LIMIT_MS = 120_000
/** What the child may take of memory beside Node itself: pieces of 64 KiB, and the names of 2,000 files. */
const MAX_HEAP_MB = 64
/** Node reserves half of it before it does anything. */
const MAX_DATA_BYTES = 1_500_000_000
/** A manifest may have 128 KiB; its JSON may be longer here by what was escaped. */
const MAX_PRINTED_BYTES = 4 * 1024 * 1024
/** It gives way to whatever else runs. */
const NICE = '10'

/** Runs the child. It may reject: some of what the system refuses is thrown. */
export type RunChild = (args: readonly string[], limitMs: number) => Promise<LookedThrough | Fault>

/** One at a time. run: other than usual in tests. */
export const childWorker = (limitMs = LIMIT_MS, run: RunChild = runChild): PackageWorker => {
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = (...args: readonly string[]) => {
    const done = turn.then(() => run(args, limitMs)).catch((error: Error) => failed(error, '', limitMs))
    turn = done
    return done
  }
  return { inspect: (path) => inTurn(path), unpack: (path, into) => inTurn(path, into) }
}

const runChild: RunChild = (args, limitMs) => {
  const node = [process.execPath, `--max-old-space-size=${MAX_HEAP_MB}`, CHILD]
  const command = [`--data=${MAX_DATA_BYTES}`, '--core=0', 'nice', '-n', NICE, ...node, ...args]
  const options = {
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_PRINTED_BYTES,
    env: { ...process.env, NODE_OPTIONS: '' },
  } as const
  return new Promise((resolve) => {
    const child = execFile('prlimit', command, options, (error, stdout, stderr) => {
      const found = jsonIn(stdout) as LookedThrough | Fault | undefined
      resolve(error === null && found ? found : failed(error as Ended | null, stderr, limitMs))
    })
    child.on('exit', () => child.stdin?.destroy())
  })
}

interface Ended extends Error {
  readonly code?: string | number | null
  readonly killed?: boolean
}

const failed = (error: Ended | null, stderr: string, limitMs: number): Fault => {
  if (error?.killed) return refusedPackage(`it was not unpacked within ${limitMs / 1000} s`)
  if (/out of memory|Cannot allocate/i.test(stderr)) return refusedPackage('it takes too much memory to be read')
  const last = stderr.trim().split('\n').at(-1) || error?.message
  return { code: 'device.failed', detail: `the package cannot be looked through here: ${last}` }
}
