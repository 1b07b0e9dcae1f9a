// The administrator's token: made at the first start that needs one, kept as a hash in a file that only the service may read.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Tokens } from './port.ts'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Reads the hash, or makes a token. To have a new one made, delete the file. */
export const fileTokens = (path: string): Tokens => {
  const kept = readHash(path)
  const made = kept ? null : randomBytes(24).toString('base64url')
  const hash = kept ?? hashOf(made ?? '')
  if (made) writeFileSync(path, `${hash.toString('hex')}\n`, { mode: 0o600 })
  return { verify: (token) => timingSafeEqual(hashOf(token), hash), made }
}

const readHash = (path: string): Buffer | undefined => {
  try {
    const hash = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
    return hash.length === 32 ? hash : undefined
  } catch {
    return undefined // the first start
  }
}
