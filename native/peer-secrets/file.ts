// Tokens of peers in a small file of their own that only the service may read.

import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { isFullDisk, writeFileWholeSoon } from '../files/atomic.ts'
import { type Exposure, keepPrivate, readGuarded, remedyOf } from '../files/rights.ts'
import { SerialQueue } from '../files/serial-queue.ts'
import { setAside } from '../files/set-aside.ts'
import { keyOf, versionIn } from './key.ts'
import type { PeerSecrets } from './port.ts'

type Tokens = ReadonlyMap<string, string>

/**
 * Reads the file when it is first needed. A broken one is set aside: the peers have to give their tokens again. One
 * that cannot be read may be good: it is left as it is, nothing is written over it, and it is tried again whenever a
 * token is needed.
 *
 * record: told `peer.tokens_lost` and `peer.tokens_unreadable`; `peer.tokens_exposed` when others could read it.
 */
export const fileSecrets = (path: string, record: (fault: Fault) => void): PeerSecrets => {
  let tokens: Tokens | undefined
  let isReported = false
  const all = (): Tokens | Unreadable => {
    const found = tokens ?? tokensAt(path, record)
    if (!(found instanceof Unreadable)) {
      tokens = found
      return found
    }
    if (!isReported) record(found.fault(path))
    isReported = true
    return found
  }
  const turns = new SerialQueue()
  const write = async (changed: (before: Tokens) => Tokens): Promise<Fault | undefined> => {
    const before = all()
    if (before instanceof Unreadable) return notKept(path, new Error(`it cannot be read: ${before.why}`))
    const next = changed(before)
    if (next === before) return undefined
    try {
      await writeFileWholeSoon(path, `${JSON.stringify(Object.fromEntries(next))}\n`, { mode: 0o600 })
    } catch (error) {
      return notKept(path, error as Error)
    }
    tokens = next
    return undefined
  }
  /** Not to be interrupted: what is written is noted down with it. */
  const change = (changed: (before: Tokens) => Tokens): Effect.Effect<void, Fault> =>
    Effect.uninterruptible(
      Effect.flatMap(
        Effect.promise(() => turns.inTurn(() => write(changed))),
        (fault) => (fault ? Effect.fail(fault) : Effect.void),
      ),
    )
  return {
    get: (id, version) => {
      const found = all()
      return found instanceof Unreadable ? null : (found.get(keyOf(id, version)) ?? null)
    },
    keep: (id, version, token) => change((before) => new Map(before).set(keyOf(id, version), token)),
    sweep: (isWanted) =>
      change((before) => {
        const wanted = [...before].filter(([key]) => isWanted(...versionIn(key)))
        return wanted.length === before.size ? before : new Map(wanted)
      }),
  }
}

/** There is a file, and what is in it cannot be told. why: what the system said. */
class Unreadable {
  readonly why: string

  constructor(why: string) {
    this.why = why
  }

  fault(path: string): Fault {
    return {
      code: 'peer.tokens_unreadable',
      detail: oneLine`
        the tokens that peers gave to this device cannot be read: ${path} (${this.why}). They are left as they are, and
        until then nothing is asked of those peers with a token. See to it that the service may read that file, or that
        its disk is sound; if it is lost, remove it, and register those peers again with their tokens
      `,
    }
  }
}

const notKept = (path: string, error: Error): Fault => ({
  code: isFullDisk(error) ? 'storage.full' : 'storage.failed',
  detail: `the token of the peer cannot be kept in ${path} (${error.message}); nothing was changed`,
})

const tokensAt = (path: string, record: (fault: Fault) => void): Tokens | Unreadable => {
  const file = readGuarded(path, keepPrivate)
  if (file === undefined) return new Map()
  if (file instanceof Error) return new Unreadable((file as NodeJS.ErrnoException).code ?? file.message)
  if (file.exposure) record(exposed(path, file.exposure))
  const tokens = tokensIn(file.text)
  if (tokens) return tokens
  record({
    code: 'peer.tokens_lost',
    detail: oneLine`
      the tokens that peers gave to this device are lost: what is in ${path} is broken${aside(path)}. Register those
      peers again with their tokens
    `,
  })
  return new Map()
}

const exposed = (path: string, exposure: Exposure): Fault => ({
  code: 'peer.tokens_exposed',
  detail: oneLine`
    the tokens that peers gave to this device, in ${path}, were not for the service alone: ${exposure.why}. Whoever has
    read them can pass for this device with those peers. ${remedyOf(path, exposure)}${IF_READ}
  `,
})

const IF_READ = oneLine`
  If nobody else uses this device, and no copy was made that others can read, nothing more is to be done. Else have
  each of those peers give this device another token (DELETE /v1/peers/trust/{id} and POST /v1/peers/trust there), and
  register it here again with that
`

/** undefined: it is broken. Not a word of it is told, nor what the parser says, which quotes it. */
const tokensIn = (text: string): Tokens | undefined => {
  try {
    const kept: unknown = JSON.parse(text)
    if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return undefined
    const entries = Object.entries(kept)
    return entries.every(([, token]) => typeof token === 'string') ? new Map(entries) : undefined
  } catch {
    return undefined
  }
}

const aside = (path: string): string => {
  try {
    return `; it lies in ${setAside(path)}`
  } catch {
    return ''
  }
}
