// Packages on other hosts: one request, to an address that was judged, which follows nothing.
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { isPrivateAddress } from '../../../machines/http/access.ts'
import { type PackageUrl, packageUrl, refusedAddress } from '../../../machines/plugins/package/hosts.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { inSentence } from '../../../machines/schema/quote.ts'
import type { Arriving } from '../../media/port.ts'
import { findAllowedAddresses, lookupOf } from '../../names/allowed-addresses.ts'
import { type Lookup, systemLookup } from '../../names/lookup.ts'

/** What is asked with. */
export interface UrlOpenerParts {
  /** Names and addresses that packages may be taken from, in lower case. */
  readonly hosts: readonly string[]
  readonly lookup?: Lookup
  /** Authorities beside those of the system, PEM; for tests. */
  readonly ca?: string
}

const ANSWER_LIMIT_MS = 15_000 // from the first call until the headers are here; the body has its own pace
const OK = 200
const HTTP_PORT = 80
const HTTPS_PORT = 443
const ZIP = 'application/zip'

export const urlOpener =
  ({ hosts, lookup: find = systemLookup, ca }: UrlOpenerParts) =>
  async (text: string): Promise<Arriving | Fault> => {
    const wanted = packageUrl(text, hosts)
    if (isFault(wanted)) return wanted
    const { addresses, refused } = await findAllowedAddresses(
      wanted.host,
      find,
      refusedAddress(wanted, isPrivateAddress),
    )
    if (refused) return refused
    if (addresses.length === 0) return unreachable(wanted, 'nobody knows this name')
    const lookup = lookupOf(addresses)
    const headers = { accept: `${ZIP}, application/octet-stream`, 'accept-encoding': 'identity' }
    const { url, host, isPlain } = wanted
    const options = { host, path: `${url.pathname}${url.search}`, headers: { ...headers, host: url.host } }
    // `node:https` speaks plain HTTP as well, on a socket that is given to it.
    const request = isPlain
      ? httpsRequest({ ...options, createConnection: () => connect({ host, port: portOf(url), lookup }) })
      : httpsRequest({ ...options, port: portOf(url), agent: false, lookup, ...(ca !== undefined && { ca }) })
    return answerOf(wanted, request)
  }

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'http:' ? HTTP_PORT : HTTPS_PORT)

const answerOf = (wanted: PackageUrl, request: ClientRequest): Promise<Arriving | Fault> =>
  new Promise((resolve) => {
    const give = (found: Arriving | Fault) => {
      clearTimeout(timer)
      if (isFault(found)) request.destroy()
      resolve(found)
    }
    const timer = setTimeout(
      () => give(unreachable(wanted, `it did not answer within ${ANSWER_LIMIT_MS / 1000} s`)),
      ANSWER_LIMIT_MS,
    )
    request.on('error', ({ message }) => give(unreachable(wanted, inSentence(message))))
    request.on('upgrade', () => give(unreachable(wanted, 'it changes the protocol')))
    request.on('response', (response) => give(arrivingIn(wanted, response)))
    request.end()
  })

const arrivingIn = (wanted: PackageUrl, response: IncomingMessage): Arriving | Fault => {
  const { statusCode = 0, headers } = response
  if (headers.location !== undefined && statusCode !== OK)
    return unreachable(wanted, 'it leads on to another address; give that one, if its host is allowed')
  if (statusCode !== OK) return unreachable(wanted, `it answered ${statusCode}`)
  const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
  return { body: response, length }
}

const unreachable = ({ url }: PackageUrl, why: string): Fault => ({
  code: 'plugin.unreachable',
  detail: oneLine`the package could not be fetched from ${url.origin}: ${why}`,
})
