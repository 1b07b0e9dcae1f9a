// What devices tell one another by DNS-SD: that they are there, and where. Everything that is heard is a stranger's
// claim.

import { isPrivateAddress } from '../http/access.ts'
import { DeviceId, PROTOCOL_VERSION } from '../interdevice/hello.ts'
import { validatorOf } from '../schema/errors.ts'
import { token } from '../token.ts'
import { readPlace } from './base-url.ts'

/** Of the services that devices announce: `_vedette._tcp.local`. */
export const SERVICE_TYPE = 'vedette'

/** Who this device is to others. fingerprint: of the certificate of its identity; null: it is not served over TLS. */
export interface OwnDevice {
  readonly device_id: string
  readonly fingerprint: string | null
}

/** Who this device is; null while it has no identity: then it is not announced. */
export const OWN_DEVICE = token<() => OwnDevice | null>('own-device')

/** Where a device is served, to others than itself. */
export interface Served {
  /** The addresses it listens on; `0.0.0.0` and `::` are all. */
  readonly hosts: readonly string[]
  /** Of plain HTTP where that is served, else of TLS. */
  readonly port: number
  readonly tlsPort: number | null
}

/** A service as it is announced. name: of the instance and of its host, 63 bytes at most. */
export interface Announced {
  readonly name: string
  readonly port: number
  readonly txt: Readonly<Record<string, string>>
}

const MAX_LABEL_LENGTH = 63
const ID_DIGITS = 8
const HINT_DIGITS = 16

/** The name holds what no other device has: two of one name would remove each other from everybody's list. */
export const announcementOf = (
  { device_id, fingerprint }: OwnDevice,
  hostname: string,
  { port, tlsPort }: Served,
): Announced => {
  const suffix = `-${device_id.slice(0, ID_DIGITS)}`
  const host = hostname.replace(/[^A-Za-z0-9-]/g, '-').slice(0, MAX_LABEL_LENGTH - suffix.length)
  return {
    name: `${host}${suffix}`,
    port,
    txt: {
      id: device_id,
      v: PROTOCOL_VERSION,
      ...(tlsPort !== null && { tls: String(tlsPort) }),
      ...(tlsPort !== null && fingerprint !== null && { fp: fingerprint.slice(0, HINT_DIGITS) }),
    },
  }
}

/** A service as it was received. address: of who sent it. */
export interface Received {
  readonly name: unknown
  readonly address: unknown
  readonly port: unknown
  readonly txt: unknown
}

/** A device that says that it is there. fingerprint_hint: the first digits of its fingerprint; null: it says none. */
export interface Heard {
  readonly device_id: string
  readonly base_url: string
  readonly name: string
  readonly protocol_version: string | null
  readonly fingerprint_hint: string | null
}

const errorsOfId = validatorOf(DeviceId)

/** undefined: it makes no sense, or would lead out of private networks. */
export const readReceived = ({ name, address, port, txt }: Received): Heard | undefined => {
  const said = (key: string, form: RegExp) => {
    const value =
      typeof txt === 'object' && txt !== null && Object.hasOwn(txt, key)
        ? (txt as Record<string, unknown>)[key]
        : undefined
    return typeof value === 'string' && form.test(value) ? value : null
  }
  const device_id = said('id', /^.{36}$/)
  if (errorsOfId(device_id).length > 0 || device_id === null) return undefined
  if (typeof address !== 'string' || !isPrivateAddress(address)) return undefined
  const tls = Number(said('tls', /^\d{1,5}$/) ?? 0)
  const isTls = tls > 0 && tls <= MAX_PORT
  if (!isTls && !(typeof port === 'number' && port > 0 && port <= MAX_PORT)) return undefined
  const place = readPlace(address, isTls ? tls : (port as number), isTls)
  if (!place.ok) return undefined
  return {
    device_id,
    base_url: place.base.origin,
    name: typeof name === 'string' ? name.slice(0, MAX_LABEL_LENGTH) : '',
    protocol_version: said('v', /^\d{1,4}\.\d{1,4}$/),
    fingerprint_hint: said('fp', /^[0-9a-f]{16}$/),
  }
}

const MAX_PORT = 65_535
