// Tokens of peers in a small file of their own that only the service may read.
import { readFileSync } from 'node:fs'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { writeFileWhole } from '../files/atomic.ts'
import { setAside } from '../files/set-aside.ts'
import type { PeerSecrets } from './port.ts'

/** Reads the file when it is first needed. One that cannot be read is set aside, and `record` told: the peers have to give their tokens again. */
export const fileSecrets = (path: string, record: (fault: Fault) => void): PeerSecrets => {
  let tokens: Map<string, string> | undefined
  const all = (): Map<string, string> => {
    tokens ??= tokensAt(path, record)
    return tokens
  }
  return {
    get: (id) => all().get(id) ?? null,
    set: (id, token) =>
      Effect.suspend(() => {
        const next = new Map(all())
        if (token === null) next.delete(id)
        else next.set(id, token)
        if (token === null && next.size === all().size) return Effect.void
        try {
          writeFileWhole(path, `${JSON.stringify(Object.fromEntries(next))}\n`, { mode: 0o600 })
        } catch (error) {
          return Effect.fail(notKept(path, error as Error))
        }
        tokens = next
        return Effect.void
      }),
  }
}

const notKept = (path: string, { message }: Error): Fault => ({
  code: 'storage.failed',
  detail: `the token of the peer cannot be kept in ${path} (${message}); nothing was changed`,
})

const tokensAt = (path: string, record: (fault: Fault) => void): Map<string, string> => {
  try {
    const kept: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const entries = Object.entries(kept as object)
    if (entries.every(([, token]) => typeof token === 'string')) return new Map(entries)
    throw new SyntaxError('it holds something else than tokens')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // the message of a broken JSON would quote it
    if (code === 'ENOENT') return new Map()
    record({
      code: 'peer.tokens_lost',
      detail: `the tokens that peers gave to this device are lost: ${path} cannot be read (${code ?? 'it is broken'})${aside(path)}. Register those peers again with their tokens`,
    })
    return new Map()
  }
}

const aside = (path: string): string => {
  try {
    return `; it lies in ${setAside(path)}`
  } catch {
    return ''
  }
}
