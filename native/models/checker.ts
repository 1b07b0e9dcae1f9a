// Has models checked by a child: one that is no model, or lies, costs that child at most.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Model } from '../../machines/models/model.ts'
import type { Checked } from './check.ts'
import { NO_TELEMETRY, runtimeComplaint } from './runtime.ts'

/**
 * Says what the model at a path is. `media.invalid` with a sentence when it cannot be used, `device.failed` when
 * nothing can be said of it here.
 */
export type ModelChecker = (path: string) => Promise<Model | Fault>

// In a bundle this file is part of a larger one.
const CHECK = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? 'check.ts' : '../models/check.mjs', import.meta.url),
)

/** A small board takes ten seconds for a model of 256 MB. */
const LIMIT_MS = 60_000
/** What it may take of memory; a model of 256 MB is in it twice while it is loaded. */
const MAX_BYTES = 1_500_000_000

/** So many wait, for as many minutes at worst; their files lie on the disk meanwhile. */
const MAX_WAITING = 3

/** One at a time. limitMs, maxBytes: of the child. Others wait, and too many are told to come again. */
export const modelChecker = ({ limitMs = LIMIT_MS, maxBytes = MAX_BYTES } = {}): ModelChecker => {
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (path) => {
    if (waiting > MAX_WAITING)
      return fault(
        'device.failed',
        `the model cannot be checked now: ${waiting} others are; send it again when they are stored`,
      )
    waiting += 1
    const done = turn
      .then(() => check(path, { limitMs, maxBytes }))
      .finally(() => {
        waiting -= 1
      })
    turn = done
    return done
  }
}

interface Bounds {
  readonly limitMs: number
  readonly maxBytes: number
}

const check = (path: string, bounds: Bounds): Promise<Model | Fault> => {
  const complaint = runtimeComplaint()
  if (complaint !== undefined)
    return Promise.resolve(
      fault('device.failed', `models cannot be checked on this device, and so not be stored: ${complaint}`),
    )
  const { limitMs, maxBytes } = bounds
  const command = [`--data=${maxBytes}`, '--core=0', process.execPath, '--max-old-space-size=512', CHECK, path]
  const env = { ...process.env, ...NO_TELEMETRY, NODE_OPTIONS: '' }
  const options = { timeout: limitMs, killSignal: 'SIGKILL', env } as const
  return new Promise((resolve) => {
    execFile('prlimit', command, options, (error, stdout, stderr) => {
      const checked = read(stdout)
      if (checked?.ok) resolve(checked.model)
      else resolve(checked ? invalid(checked.why) : failed(error as Ended | null, stderr, bounds))
    })
  })
}

const read = (printed: string): Checked | undefined => {
  try {
    return JSON.parse(printed) as Checked
  } catch {
    return undefined // it ended before
  }
}

interface Ended extends Error {
  readonly code?: string | number | null
  readonly killed?: boolean
  readonly signal?: NodeJS.Signals | null
}

const failed = (error: Ended | null, stderr: string, { limitMs, maxBytes }: Bounds): Fault => {
  if (error?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return invalid('says more of itself than is read here')
  if (typeof error?.code === 'string') return fault('device.failed', `the model cannot be checked: ${error.message}`)
  if (error?.killed) return invalid(`was not loaded and run twice within ${limitMs / 1000} s`)
  if (/bad_alloc|out of memory|Cannot allocate/i.test(stderr))
    return invalid(`takes more than ${Math.round(maxBytes / 1e6)} MB of memory`)
  return invalid(`breaks the runtime of models (${error?.signal ?? `code ${error?.code}`})`)
}

const fault = (code: Fault['code'], detail: string): Fault => ({ code, detail })

const invalid = (why: string): Fault => fault('media.invalid', `this cannot be stored: the model ${why}`)
