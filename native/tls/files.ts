// Certificates in the data directory. `key.pem` and `cert.pem` are for people to place: they are read and never written
// or moved. `device.pem` is the device's own, key and certificate in one file, so that no power cut can part them.

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { writeFileWhole } from '../files/atomic.ts'
import { setAside } from '../files/set-aside.ts'
import { bearsNames, complaintAbout } from './check.ts'
import type { Certificate, CertificatesPort } from './port.ts'
import { selfSigned } from './self-signed.ts'

/** Where the certificate of the device lies. */
export interface CertificateFiles {
  readonly folder: string
  /** Of the device, for the certificate it makes. */
  readonly names: readonly string[]
  /** Unix time. */
  readonly nowMs: () => number
}

export const certificateFiles = (files: CertificateFiles): CertificatesPort => ({
  load: (record) =>
    Effect.suspend(() => {
      const key = textAt(join(files.folder, 'key.pem'))
      const cert = textAt(join(files.folder, 'cert.pem'))
      return key.isThere || cert.isThere ? placed(files, key, cert) : own(files, record)
    }),
})

/** What people placed. */
const placed = ({ folder, nowMs }: CertificateFiles, key: Text, cert: Text): Effect.Effect<Certificate, Fault> =>
  Effect.gen(function* () {
    const pair = { key: key.text, cert: cert.text }
    const why = key.complaint ?? cert.complaint ?? (yield* complaintAbout(pair, nowMs()))
    if (why === undefined) return pair
    return yield* Effect.fail<Fault>({
      code: 'certificate.unusable',
      detail: oneLine`
        HTTPS cannot be served with key.pem and cert.pem in ${folder}: ${why}. They are left as they are; put a
        certificate and its key there, or remove both and the device makes its own
      `,
    })
  })

/**
 * The device's own: kept, or made, also when the device has another name by now. A previous name is better than none.
 */
const own = (files: CertificateFiles, record: (fault: Fault) => void): Effect.Effect<Certificate, Fault> =>
  Effect.gen(function* () {
    const path = join(files.folder, 'device.pem')
    const kept = textAt(path)
    if (!kept.isThere) return yield* made(files, path)
    const both = { key: kept.text, cert: kept.text }
    const why = kept.complaint ?? (yield* complaintAbout(both, files.nowMs()))
    if (why === undefined && bearsNames(both.cert, files.names)) return both
    if (why === undefined)
      return yield* Effect.catch(made(files, path), ({ code, detail }) => {
        record({ code, detail: `${detail}; the one for the name before is served` })
        return Effect.succeed(both)
      })
    record(yield* attempt(() => broken(path, why), notKept(path)))
    return yield* made(files, path)
  })

/** A new one, kept. */
const made = (files: CertificateFiles, path: string): Effect.Effect<Certificate, Fault> =>
  Effect.gen(function* () {
    const { key, cert } = yield* Effect.promise(() => selfSigned(files.names, files.nowMs()))
    const text = `${key.trim()}\n${cert.trim()}\n`
    yield* attempt(() => {
      mkdirSync(files.folder, { recursive: true, mode: 0o700 })
      writeFileWhole(path, text, { mode: 0o600 })
    }, notKept(path))
    return { key: text, cert: text }
  })

const broken = (path: string, why: string): Fault => ({
  code: 'certificate.broken',
  detail: oneLine`
    the device's own certificate ${path} could not be used: ${why}. It was set aside as ${setAside(path)} and a new one
    made; browsers will ask about it once more
  `,
})

const attempt = <T>(act: () => T, faultOf: (error: Error) => Fault): Effect.Effect<T, Fault> =>
  Effect.try({ try: act, catch: (error) => faultOf(error as Error) })

const notKept =
  (path: string) =>
  ({ message }: Error): Fault => ({
    code: 'certificate.not_kept',
    detail: oneLine`
      the device's own certificate cannot be kept as ${path} (${message}), and HTTPS is not served with one that would
      change at each start
    `,
  })

/** A file as it was found. complaint: why there is no text, though there may be a file. */
interface Text {
  readonly isThere: boolean
  readonly text: string
  readonly complaint?: string
}

const textAt = (path: string): Text => {
  try {
    return { isThere: true, text: readFileSync(path, 'utf8') }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT'
      ? { isThere: false, text: '', complaint: `${path} is missing` }
      : { isThere: true, text: '', complaint: `${path} cannot be read (${message})` }
  }
}
