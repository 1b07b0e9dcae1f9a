// The administrator's token: made at the first start that needs one, kept as a hash in a file that only the service may read.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Fault } from '../../machines/errors/fault.ts'
import { writeFileWhole } from '../files/atomic.ts'
import type { Tokens } from './port.ts'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Reads the hash; makes a token only where there is no file. One that is there and holds no hash means that nobody is let in: who could empty the file
 * shall not be given a new token by it.
 */
export const fileTokens = (path: string): Tokens => {
  const kept = textAt(path)
  if (kept === undefined) return newToken(path)
  const [hex] = kept.complaint === undefined ? (/^[0-9a-f]{64}$/i.exec(kept.text.trim()) ?? []) : []
  if (hex === undefined) return nobody(unusable(path, kept.complaint ?? holding(kept.text)))
  return known(Buffer.from(hex, 'hex'), null)
}

/** On the disk before anybody is told of it. */
const newToken = (path: string): Tokens => {
  const made = randomBytes(24).toString('base64url')
  const hash = hashOf(made)
  try {
    writeFileWhole(path, `${hash.toString('hex')}\n`, { mode: 0o600 })
  } catch (error) {
    const why = (error as Error).message
    const detail = `no token for administration was made, since it cannot be kept in ${path} (${why}); put that right and start the service again`
    return nobody({ code: 'token.not_kept', detail })
  }
  return known(hash, made)
}

const known = (hash: Buffer, made: string | null): Tokens => ({
  verify: (token) => timingSafeEqual(hashOf(token), hash),
  fingerprint: hash.toString('hex', 0, FINGERPRINT_BYTES),
  made,
  fault: null,
})

const FINGERPRINT_BYTES = 8

const nobody = (fault: Fault): Tokens => ({ verify: () => false, fingerprint: null, made: null, fault })

const unusable = (path: string, why: string): Fault => ({
  code: 'token.unusable',
  detail: `nobody may administer this device: ${path}, where its token is kept, ${why}. Delete it and start the service again to have a new token made`,
})

const holding = (text: string): string => (text.trim() === '' ? 'is empty' : 'holds no token')

/** undefined: there is no such file. complaint: why it cannot be read, as the end of a sentence. */
const textAt = (path: string): { readonly text: string; readonly complaint?: string } | undefined => {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? undefined : { text: '', complaint: `cannot be read (${message})` }
  }
}
