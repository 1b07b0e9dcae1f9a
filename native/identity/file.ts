// The identity in the data directory: key and certificate in one file, so that no power cut can part them.
import { randomUUID, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Fault } from '../../machines/errors/fault.ts'
import { writeFileWhole } from '../files/atomic.ts'
import { setAside } from '../files/set-aside.ts'
import { pairComplaint } from '../tls/check.ts'
import { deviceIn, fingerprintOf, madeIdentity } from './certificate.ts'
import type { IdentityPort } from './port.ts'

/**
 * Reads it; makes one where there is none. A broken one is set aside for a new one, which keeps the id where that can still be read.
 *
 * record: told `identity.broken`, and `identity.not_kept` when the one in force ends with the service.
 */
export const fileIdentity = (path: string, record: (fault: Fault) => void): IdentityPort => {
  const text = textAt(path)
  if (text === undefined) return kept(path, madeIdentity(randomUUID()), record)
  const found = identityIn(text)
  if ('key' in found) return found
  const anew = madeIdentity(found.device_id ?? randomUUID())
  try {
    const aside = setAside(path)
    const detail = `the identity of this device in ${path} could not be used: ${found.complaint}. It was set aside as ${aside} and a new one made; devices that knew this one have to be told of it anew`
    record({ code: 'identity.broken', detail })
  } catch (error) {
    return notKept(path, anew, error as Error, record)
  }
  return kept(path, anew, record)
}

const kept = (path: string, made: IdentityPort, record: (fault: Fault) => void): IdentityPort => {
  try {
    writeFileWhole(path, `${made.key.trim()}\n${made.cert.trim()}\n`, { mode: 0o600 })
    return made
  } catch (error) {
    return notKept(path, made, error as Error, record)
  }
}

/** It counts until the service stops: a device that can be greeted only until then is better than one that does not start. */
const notKept = (
  path: string,
  made: IdentityPort,
  { message }: Error,
  record: (fault: Fault) => void,
): IdentityPort => {
  const detail = `the identity of this device cannot be kept as ${path} (${message}); it has another one after its next start, and other devices will not know it then`
  record({ code: 'identity.not_kept', detail })
  return made
}

/** device_id: of one that is broken, where it can be read. complaint: why it cannot be used, as the end of a sentence. */
interface Broken {
  readonly complaint: string
  readonly device_id: string | undefined
}

const identityIn = (text: string | Error): IdentityPort | Broken => {
  if (text instanceof Error) return { complaint: `it cannot be read (${text.message})`, device_id: undefined }
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
