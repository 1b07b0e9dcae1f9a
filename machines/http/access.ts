// The access policy of the HTTP interface as pure decisions. It knows no request, no socket and no token, only what was
// found out about them.

/**
 * `open`: the files of the page, the sign-in and the greeting of other devices, which hold no data of the device but
 * who it is. read: what is the case. operate: streams, pipelines, settings. administer: what the device is and trusts.
 * console: a shell. peer: what other devices see and do. Who may do which: docs/access.md.
 */
export type AccessClass = 'open' | 'read' | 'operate' | 'administer' | 'console' | 'peer'
export const ACCESS_CLASSES = [
  'open',
  'read',
  'operate',
  'administer',
  'console',
  'peer',
] as const satisfies AccessClass[]

/** bench: bound to loopback. field: bound to a network. locked: everything needs a token. */
export type Profile = 'bench' | 'field' | 'locked'
export const PROFILES = ['bench', 'field', 'locked'] as const satisfies readonly Profile[]

/**
 * How the service was started. console: whether administrators have a shell in field and locked; in bench everybody has
 * one.
 */
export interface AccessPolicy {
  readonly profile: Profile
  readonly console: boolean
}

/** What a request carried in the way of a token; a session that counts is a valid one. */
export type TokenState = 'none' | 'valid' | 'invalid'

/** Who asks. */
export interface Asker {
  readonly token: TokenState
  /** Whether it is a device that is trusted, by its certificate or a token of its own. */
  readonly isPeer: boolean
  /** What a plugin was granted that runs here; null: it is none. */
  readonly granted?: readonly string[] | null
  /** As the socket tells it. */
  readonly address: string
}

/**
 * undefined: let it pass. A wrong token never passes, even where none is needed: its sender is mistaken about
 * something. Nor does a device that is trusted, beyond what is meant for devices.
 */
export const accessFault = (
  { profile, console }: AccessPolicy,
  access: AccessClass,
  { token, isPeer, address, granted = null }: Asker,
): 'token.required' | 'token.invalid' | 'trust.not_here' | 'console.off' | 'plugin.not_granted' | undefined => {
  if (token === 'invalid') return 'token.invalid'
  if (access === 'open') return undefined
  // in whatever profile: what it may was said when it was installed
  if (granted) return granted.includes(access) ? undefined : 'plugin.not_granted'
  // also where anybody may: it shows who it is, and has no business there
  if (isPeer) return access === 'peer' ? undefined : 'trust.not_here'
  // with any token: nobody shall fetch one in vain
  if (access === 'console' && profile !== 'bench' && !console) return 'console.off'
  return token === 'valid' || !needsToken(profile, access, address) ? undefined : 'token.required'
}

/** In the profile field, to those in private networks. */
const OPEN_NEARBY: ReadonlySet<AccessClass> = new Set(['read', 'operate'])

const needsToken = (profile: Profile, access: AccessClass, address: string): boolean => {
  if (profile === 'bench') return false
  return profile === 'locked' || !OPEN_NEARBY.has(access) || !isPrivateAddress(address)
}

/** The classes that are open to a caller, without the class of the page itself. */
export const classesOpenTo = (policy: AccessPolicy, asker: Asker): readonly AccessClass[] =>
  ACCESS_CLASSES.filter((access) => access !== 'open' && accessFault(policy, access, asker) === undefined)

/**
 * The name or address in a Host header or an authority, lower-case, without port and brackets; undefined when it is not
 * well formed.
 */
export const hostOf = (authority: string): string | undefined => {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/.exec(authority.toLowerCase())
  return match?.[1] ?? match?.[2]?.replace(/\.$/, '')
}

/**
 * Whether a Host header names this device: an address, `localhost`, one of its own names (also as `<name>.local`), or a
 * name of a robot, which forwards its ports to this device.
 *
 * A foreign name that resolves to this device's address is how DNS rebinding works. An address cannot be rebound, nor
 * can a name that no name server of the web answers for.
 */
const hostIsOurs = (header: string, ownNames: readonly string[]): boolean => {
  const host = hostOf(header)
  if (host === undefined) return false
  if (host === 'localhost' || isAddress(host) || ROBOT_NAME.test(host)) return true
  return ownNames.some((name) => host === name.toLowerCase() || host === `${name.toLowerCase()}.local`)
}

/**
 * What robot controllers are called, at home and on a field. None of these names can be had in the DNS of the web:
 * they have no dot, or end in a domain that is only answered for on the network itself.
 */
const ROBOT_NAME = /^(roborio-\d{1,5}-frc|robot)(\.local|\.lan|\.frc-field\.local)?$/

/** The host that a request means, and the path there: `authority` as it was written, `path` with its query. */
export type Addressed =
  | { readonly outcome: 'ours'; readonly authority: string; readonly path: string }
  | { readonly outcome: 'host.missing' }
  | { readonly outcome: 'host.repeated' }
  | { readonly outcome: 'host.unknown'; readonly authority: string }

/**
 * Reads the target of a request (`/v1/streams`, or `http://camera.local/v1/streams` as to a proxy) together with all
 * its Host headers.
 *
 * RFC 9112, section 3.2: exactly one Host header, whatever the target; a target that names a host outdoes it.
 */
export const addressedTo = (target: string, hosts: readonly string[], ownNames: readonly string[]): Addressed => {
  const [host] = hosts
  if (host === undefined) return { outcome: 'host.missing' }
  if (hosts.length > 1) return { outcome: 'host.repeated' }
  const named = ABSOLUTE.exec(target)?.[1]
  const authority = named ?? host
  const isLeftEmpty = named === undefined && host === '' // as ntcore does; no browser does it, so there is no rebinding
  if (!isLeftEmpty && !hostIsOurs(authority, ownNames)) return { outcome: 'host.unknown', authority }
  return { outcome: 'ours', authority, path: pathOfTarget(target) }
}

/** A target without the scheme and host that it may begin with; always with a slash in front. */
export const pathOfTarget = (target: string): string => {
  const rest = ABSOLUTE.exec(target)?.[2]
  if (rest === undefined) return target
  return rest.startsWith('/') ? rest : `/${rest}`
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i

/**
 * Whether an Origin header is that of the page served under `hostHeader`, or one of those listed
 * (`https://dash.example:8080`).
 */
export const originIsTrusted = (origin: string, hostHeader: string, listed: readonly string[]): boolean => {
  const wanted = origin.toLowerCase()
  if (listed.some((each) => each.toLowerCase() === wanted)) return true
  return /^https?:\/\/(.+)$/.exec(wanted)?.[1] === hostHeader.toLowerCase()
}

const isAddress = (host: string): boolean => host.includes(':') || octets(host) !== undefined

/** An address as a socket tells it, without the disguise an IPv4 address has on an IPv6 listener. */
export const plainAddress = (address: string): string => address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')

/** Whether nobody but this device itself can have it. */
export const isLoopbackAddress = (address: string): boolean => {
  const plain = plainAddress(address)
  return plain === '::1' || octets(plain)?.[0] === 127
}

/** Loopback, link-local and private networks, in either family; what a robot's network is made of. */
export const isPrivateAddress = (address: string): boolean => {
  const plain = plainAddress(address)
  const four = octets(plain)
  if (!four) return plain === '::1' || /^f[cd][0-9a-f]{2}:/.test(plain) || /^fe[89ab][0-9a-f]:/.test(plain)
  const [a, b] = four
  return a === 10 || a === 127 || (a === 172 && b >> 4 === 1) || (a === 192 && b === 168) || (a === 169 && b === 254)
}

const octets = (text: string): readonly [number, number] | undefined => {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  const bytes = match?.slice(1).map(Number)
  return bytes?.every((byte) => byte < 256) ? [bytes[0] as number, bytes[1] as number] : undefined
}
