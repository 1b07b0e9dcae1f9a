// From where packages are fetched: only hosts that an administrator of the device allowed at the start of the service.
import type { Fault } from '../../errors/fault.ts'
import { oneLine } from '../../schema/one-line.ts'
import { quote } from '../../schema/quote.ts'

/** An address that may be asked. */
export interface PackageUrl {
  readonly url: URL
  /** Without the brackets of IPv6. */
  readonly host: string
  readonly isPlain: boolean
}

const HOST = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/

/** Whether a text can be a host that is allowed: a name or an address, without a port. */
export const isHost = (text: string): boolean => HOST.test(text) || /^(?=(.*:){2})[0-9a-f:]{2,39}$/.test(text)

/** What a URL means, or why it is not asked. hosts: in lower case. */
export const packageUrl = (text: string, hosts: readonly string[]): PackageUrl | Fault => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) return foreign(`${quote(text)} is no http or https address`)
  if (url.username !== '' || url.password !== '') return foreign('the address has a name or a password in it')
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (!hosts.includes(host))
    return foreign(
      oneLine`
        ${quote(host)} is not among the hosts that packages are taken from (${hosts.join(', ') || 'none'}); download the
        package and upload it, or have an administrator of the device add the host to VEDETTE_PLUGIN_HOSTS
      `,
    )
  return { url, host, isPlain: url.protocol === 'http:' }
}

/**
 * Why an address of an allowed host is not connected to: what comes in the clear may only come from nearby.
 * isPrivateAddress: as machines/http/access.ts says.
 */
export const refusedAddress =
  ({ host, isPlain }: PackageUrl, isPrivateAddress: (address: string) => boolean) =>
  (address: string): Fault | undefined =>
    !isPlain || isPrivateAddress(address)
      ? undefined
      : foreign(`${quote(host)} is ${address}, which is not in a private network; fetch from there over https`)

const foreign = (detail: string): Fault => ({ code: 'plugin.foreign_host', detail })
