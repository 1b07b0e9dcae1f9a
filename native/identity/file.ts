// The identity in the data directory: key and certificate in one file, so that no power cut can part them.

import { randomUUID, X509Certificate } from 'node:crypto'
import { rmSync } from 'node:fs'
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { writeFileWhole } from '../files/atomic.ts'
import { keepPrivate, readGuarded } from '../files/rights.ts'
import { copyAside } from '../files/set-aside.ts'
import { pairComplaint } from '../tls/check.ts'
import { deviceIn, fingerprintOf, madeIdentity } from './certificate.ts'
import { toExposureFault } from './exposure-fault.ts'
import type { DeviceIdentity, IdentityPort } from './port.ts'

/**
 * Reads it; makes one where there is none. A broken one is set aside for a new one, which keeps the id where that can
 * still be read; one that cannot be read may be good, and is left as it is. Where none can be had that is on the disk,
 * the device has none.
 *
 * record: told `identity.broken`; `identity.exposed` when others could read it; `identity.unreadable` and
 * `identity.not_kept` as long as there is none, once each.
 */
export const fileIdentity = (path: string, record: (fault: Fault) => void): IdentityPort => {
  let found = identityAt(path, record)
  if (isFault(found)) record(found)
  const look = (): Effect.Effect<void, Fault> => {
    if (!isFault(found)) return Effect.void
    const before = found
    found = identityAt(path, record)
    if (!isFault(found)) return Effect.void
    if (found.code !== before.code) record(found)
    return Effect.fail(found)
  }
  return { now: () => found, look: Effect.suspend(look) }
}

const identityAt = (path: string, record: (fault: Fault) => void): DeviceIdentity | Fault => {
  const file = readGuarded(path, keepPrivate) // a broken one, too: there may be a key in it
  if (file === undefined) return stored(path)
  if (file instanceof Error) return unreadable(path, file)
  const found = identityIn(file.text)
  if (!('key' in found)) return inPlaceOf(path, found, record)
  if (file.exposure) record(toExposureFault(path, file.exposure))
  return found
}

/**
 * The broken one is copied aside and then written over: at no moment, and on no full disk, is there a device without
 * the id that can still be read in it.
 */
const inPlaceOf = (
  path: string,
  { complaint, device_id }: Broken,
  record: (fault: Fault) => void,
): DeviceIdentity | Fault => {
  const anew = madeIdentity(device_id ?? randomUUID())
  let aside: string | undefined
  try {
    aside = copyAside(path)
    write(path, anew)
  } catch (error) {
    if (aside !== undefined) rmSync(aside, { force: true }) // or there would be another one after each try
    return notKept(path, `it is broken, ${complaint}, and no other can be written, ${(error as Error).message}`)
  }
  const detail = oneLine`
    the identity of this device in ${path} could not be used: ${complaint}. It was set aside as ${aside} and a new one
    made; devices that knew this one have to be told of it anew
  `
  record({ code: 'identity.broken', detail })
  return anew
}

const stored = (path: string): DeviceIdentity | Fault => {
  const made = madeIdentity(randomUUID())
  try {
    write(path, made)
  } catch (error) {
    return notKept(path, (error as Error).message)
  }
  return made
}

const write = (path: string, { key, cert }: DeviceIdentity): void =>
  writeFileWhole(path, `${key.trim()}\n${cert.trim()}\n`, { mode: 0o600 })

const NOBODY = oneLine`
  Until then this device is nobody to other devices: its links to peers wait, and nobody can be paired with it; all
  else runs. It is tried again every 15 s
`

const unreadable = (path: string, { message }: Error): Fault => ({
  code: 'identity.unreadable',
  detail: oneLine`
    the identity of this device in ${path} cannot be read (${message}). It is left as it is. See to it that the service
    may read that file, and that its disk is sound; if it is lost, remove it, and the device makes another. ${NOBODY}
  `,
})

/**
 * An identity that is gone after the next start is never shown: peers would know a device that does not exist any more.
 */
const notKept = (path: string, why: string): Fault => ({
  code: 'identity.not_kept',
  detail: oneLine`
    the identity of this device cannot be kept as ${path} (${why}). Make room on the disk, and see that the service may
    write there. ${NOBODY}
  `,
})

interface Broken {
  /** Why it cannot be used, as the end of a sentence. */
  readonly complaint: string
  /** Of one that is broken, where it can be read. */
  readonly device_id: string | undefined
}

const identityIn = (text: string): DeviceIdentity | Broken => {
  const cert = certificateIn(text)
  const device_id = cert && deviceIn(cert)
  const complaint = pairComplaint({ key: text, cert: text })
  if (complaint !== undefined) return { complaint, device_id }
  if (!cert || !device_id) return { complaint: 'its certificate names no device', device_id }
  return { device_id, key: text, cert: text, fingerprint: fingerprintOf(cert) }
}

const certificateIn = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}
