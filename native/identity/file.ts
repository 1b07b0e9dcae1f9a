// The identity in the data directory: key and certificate in one file, so that no power cut can part them.
import { randomUUID, X509Certificate } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import type { Fault } from '../../machines/errors/fault.ts'
import { writeFileWhole } from '../files/atomic.ts'
import { copyAside } from '../files/set-aside.ts'
import { pairComplaint } from '../tls/check.ts'
import { deviceIn, fingerprintOf, madeIdentity } from './certificate.ts'
import type { IdentityPort } from './port.ts'

/**
 * Reads it; makes one where there is none. A broken one is set aside for a new one, which keeps the id where that can still be read; one that cannot be read
 * may be good, and is left as it is.
 *
 * record: told `identity.broken`; `identity.unreadable` and `identity.not_kept` when the one in force ends with the service.
 */
export const fileIdentity = (path: string, record: (fault: Fault) => void): IdentityPort => {
  const text = textAt(path)
  if (text === undefined) return kept(path, madeIdentity(randomUUID()), record)
  if (text instanceof Error) {
    record(unreadable(path, text))
    return madeIdentity(randomUUID())
  }
  const found = identityIn(text)
  return 'key' in found ? found : inPlaceOf(path, found, record)
}

/** The broken one is copied aside and then written over: at no moment, and on no full disk, is there a device without the id that can still be read in it. */
const inPlaceOf = (path: string, { complaint, device_id }: Broken, record: (fault: Fault) => void): IdentityPort => {
  const anew = madeIdentity(device_id ?? randomUUID())
  let aside: string | undefined
  try {
    aside = copyAside(path)
    write(path, anew)
  } catch (error) {
    if (aside !== undefined) rmSync(aside, { force: true }) // or there would be another one after each start
    record(notKept(path, `it is broken, ${complaint}, and no other can be written, ${(error as Error).message}`))
    return anew
  }
  const detail = `the identity of this device in ${path} could not be used: ${complaint}. It was set aside as ${aside} and a new one made; devices that knew this one have to be told of it anew`
  record({ code: 'identity.broken', detail })
  return anew
}

const kept = (path: string, made: IdentityPort, record: (fault: Fault) => void): IdentityPort => {
  try {
    write(path, made)
  } catch (error) {
    record(notKept(path, (error as Error).message))
  }
  return made
}

const write = (path: string, { key, cert }: IdentityPort): void =>
  writeFileWhole(path, `${key.trim()}\n${cert.trim()}\n`, { mode: 0o600 })

const unreadable = (path: string, { message }: Error): Fault => ({
  code: 'identity.unreadable',
  detail: `the identity of this device in ${path} cannot be read (${message}). It is left as it is, and until the service stops this device is another one to those who know it. See to it that the service may read that file, or that its disk is sound, and start the service again; if it is lost, remove it, and the device makes another`,
})

/** It counts until the service stops: a device that can be greeted only until then is better than one that does not start. */
const notKept = (path: string, why: string): Fault => ({
  code: 'identity.not_kept',
  detail: `the identity of this device cannot be kept as ${path} (${why}); it has another one after its next start, and other devices will not know it then. Make room on the disk, and start the service again`,
})

/** device_id: of one that is broken, where it can be read. complaint: why it cannot be used, as the end of a sentence. */
interface Broken {
  readonly complaint: string
  readonly device_id: string | undefined
}

const identityIn = (text: string): IdentityPort | Broken => {
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

/** undefined: there is no such file. */
const textAt = (path: string): string | Error | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : (error as Error)
  }
}
