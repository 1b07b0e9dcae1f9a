// Where another device is, as people write it: the address of its first page. Each such address is read here.

import { addressText, parseHost } from '../nt4/target.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

/** Longer than any name and port. */
const MAX_LENGTH = 512

export const BaseUrlText = Type.String({
  minLength: 1,
  maxLength: MAX_LENGTH,
  description: oneLine`
    The scheme (\`http\` or \`https\`), the name or address, and the port: \`https://10.12.34.11:5801\`. No path but
    \`/v1\`, no name and password.
  `,
  examples: ['http://10.12.34.12:5800'],
})

/** A place that speaks HTTP. */
export interface BaseUrl {
  /** Without a slash at its end, and without a port that its scheme implies. */
  readonly origin: string
  readonly isTls: boolean
  /** A name or an address, IPv6 without brackets. */
  readonly host: string
  readonly port: number
}

/**
 * path: what follows the origin, without a slash at its end; empty where nothing but `/v1` may. reason: a sentence
 * without subject, "must be ...", which repeats nothing of the text.
 */
export type ReadBaseUrl =
  | { readonly ok: true; readonly base: BaseUrl; readonly path: string }
  | { readonly ok: false; readonly reason: string }

const HTTP_PORT = 80
const HTTPS_PORT = 443

/** Reads `http://host:port`, with or without `/v1` behind it. mayHavePath: or another path, as old devices have. */
export const readBaseUrl = (text: string, { mayHavePath = false } = {}): ReadBaseUrl => {
  const url = URL.parse(text)
  const isTls = url?.protocol === 'https:'
  if (!url || url.hostname === '') return no(`must be an address like ${EXAMPLE}`)
  if (!isTls && url.protocol !== 'http:') return no('must begin with http:// or https://')
  if (url.username || url.password) return no('holds a name or password, which is no part of an address; leave it out')
  if (url.search || url.hash) return no('has a query or a fragment; leave these out')
  if (url.port === '0') return no('must have a port from 1 to 65535')
  const host = parseHost(url.hostname)
  if (host === undefined) return no('must name a host by its name, as front.local, or by its address')
  const port = url.port === '' ? (isTls ? HTTPS_PORT : HTTP_PORT) : Number(url.port)
  const base = { origin: url.origin, isTls, host, port }
  if (/^\/(v1\/?)?$/.test(url.pathname)) return { ok: true, base, path: '' }
  if (!mayHavePath) return no(`must end after the port, like ${EXAMPLE}`)
  return { ok: true, base, path: url.pathname.replace(/\/+$/, '') }
}

/** Reads a host and a port that were said apart. */
export const readPlace = (host: string, port: number, isTls = false): ReadBaseUrl => {
  const name = parseHost(host)
  const scheme = isTls ? 'https' : 'http'
  return name === undefined
    ? no('must be a name or an address')
    : readBaseUrl(`${scheme}://${addressText({ host: name, port })}`)
}

/**
 * The place at which plain HTTP, or HTTP over TLS, is spoken. Throws where `readPlace` has a reason: for hosts that
 * were read.
 */
export const baseUrlOf = (host: string, port: number, isTls = false): BaseUrl => {
  const found = readPlace(host, port, isTls)
  if (!found.ok) throw new TypeError(`${addressText({ host, port })} ${found.reason}`)
  return found.base
}

const no = (reason: string): ReadBaseUrl => ({ ok: false, reason })

const EXAMPLE = 'http://10.12.34.12:5800'
