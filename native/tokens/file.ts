// The administrator's token: made at the first start that needs one, kept as a hash in a file that only the service may
// read.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { writeFileWhole } from '../files/atomic.ts'
import { type Exposure, keepFromWriting, readGuarded, remedyOf } from '../files/rights.ts'
import type { Tokens } from './port.ts'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Reads the hash; makes a token only where there is no file. One that is there and holds no hash means that nobody is
 * let in: who could empty the file shall not be given a new token by it. What is in it is no secret, and people may put
 * a hash of their own there: who may read it is up to them.
 *
 * record: told `token.exposed` when others could write it.
 */
export const fileTokens = (path: string, record: (fault: Fault) => void): Tokens => {
  const file = readGuarded(path, keepFromWriting)
  if (file === undefined) return newToken(path)
  if (file instanceof Error) return nobody(unusable(path, `cannot be read (${file.message})`))
  if (file.exposure) record(exposed(path, file.exposure))
  const [hex] = /^[0-9a-f]{64}$/i.exec(file.text.trim()) ?? []
  if (hex === undefined) return nobody(unusable(path, holding(file.text)))
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
    const detail = oneLine`
      no token for administration was made, since it cannot be kept in ${path} (${why}); put that right and start the
      service again
    `
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
  detail: oneLine`
    nobody may administer this device: ${path}, where its token is kept, ${why}. Delete it and start the service again
    to have a new token made
  `,
})

const holding = (text: string): string => (text.trim() === '' ? 'is empty' : 'holds no token')

const exposed = (path: string, exposure: Exposure): Fault => ({
  code: 'token.exposed',
  detail: oneLine`
    the token for administration, in ${path}, could be made another one: ${exposure.why}. Whoever has written there may
    administer this device. ${remedyOf(path, exposure)}${IF_WRITTEN}
  `,
})

const IF_WRITTEN = oneLine`
  If nobody else uses this device, or the token that you know is still the one that is good, nothing more is to be
  done. Else delete the file and start the service again to have a new token made
`
