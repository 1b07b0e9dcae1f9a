// Where another device is, as people write it: the address of its first page.
import { addressText } from '../nt4/target.ts'
import Type from '../schema/type.ts'

/** Longer than any name and port. */
const LONGEST = 512

export const BaseUrlText = Type.String({
  ...{ minLength: 1, maxLength: LONGEST },
  description:
    'The scheme (`http` or `https`), the name or address, and the port: `https://10.12.34.11:5801`. No path but `/v1`, no name and password.',
  examples: ['http://10.12.34.12:5800'],
})

/** A place that speaks HTTP. origin: without a slash at its end. host: a name or an address, IPv6 without brackets. */
export interface BaseUrl {
  readonly origin: string
  readonly isTls: boolean
  readonly host: string
  readonly port: number
}

/** reason: a sentence without subject, "must be ...". */
export type ReadBaseUrl =
  | { readonly ok: true; readonly base: BaseUrl }
  | { readonly ok: false; readonly reason: string }

const HTTP_PORT = 80
const HTTPS_PORT = 443

/** Reads `http://host:port`, with or without `/v1` behind it. */
export const readBaseUrl = (text: string): ReadBaseUrl => {
  const url = URL.parse(text)
  const isTls = url?.protocol === 'https:'
  if (!url || url.hostname === '') return { ok: false, reason: `must be an address like ${EXAMPLE}` }
  if (!isTls && url.protocol !== 'http:') return { ok: false, reason: 'must begin with http:// or https://' }
  if (url.username || url.password)
    return { ok: false, reason: 'holds a name or password, which is no part of an address; leave it out' }
  if (url.search || url.hash || !/^\/(v1\/?)?$/.test(url.pathname))
    return { ok: false, reason: `must end after the port, like ${EXAMPLE}` }
  if (url.port === '0') return { ok: false, reason: 'must have a port from 1 to 65535' }
  const port = url.port === '' ? (isTls ? HTTPS_PORT : HTTP_PORT) : Number(url.port)
  return { ok: true, base: { origin: url.origin, isTls, host: url.hostname.replace(/^\[|\]$/g, ''), port } }
}

/** The place at which plain HTTP, or HTTP over TLS, is spoken. */
export const baseUrlOf = (host: string, port: number, isTls = false): BaseUrl => ({
  ...{ host, port, isTls },
  origin: `${isTls ? 'https' : 'http'}://${addressText({ host, port })}`,
})

const EXAMPLE = 'http://10.12.34.12:5800'
