// Where NT4 is: the one-line setting, read.

/** The standard port of NT4. */
export const NT4_PORT = 5810

/** A place on the network. host: a name or an address, IPv6 without brackets. */
export interface Nt4Address {
  readonly host: string
  readonly port: number
}

/** A target as read. serve: this device is the server and its own client; port 0 lets the system choose. */
export type Nt4Target =
  | { readonly kind: 'off' }
  | { readonly kind: 'serve'; readonly at: Nt4Address }
  | { readonly kind: 'host'; readonly at: Nt4Address }
  | { readonly kind: 'hosts'; readonly at: readonly Nt4Address[] }
  | { readonly kind: 'team'; readonly team: number }

/** reason: a predicate, "must be ...". */
export type ParsedNt4Target =
  | { readonly ok: true; readonly target: Nt4Target }
  | { readonly ok: false; readonly reason: string }

const FORMS = 'must be serve, serve:host:port, host, host:port, several of these with commas between, team:1234 or off'
const MAX_HOSTS = 8 // each is called once a second
/** The largest team number that the addresses of robots have room for. */
export const MAX_TEAM = 25_599 // 10.255.99.2 is the last address the rule gives

/**
 * Reads `serve`, `serve:host:port`, `host[:port]` (IPv6 in brackets), several of the latter with commas between,
 * `team:1234` or `off`.
 */
export const parseNt4Target = (text: string): ParsedNt4Target => {
  if (text === 'off') return { ok: true, target: { kind: 'off' } }
  if (text === 'serve') return { ok: true, target: { kind: 'serve', at: { host: '127.0.0.1', port: NT4_PORT } } }
  const [, word, rest = ''] = /^(serve|team):(.*)$/.exec(text) ?? []
  if (word === 'team') return teamTarget(rest)
  if (word === undefined && text.includes(',')) return hostsTarget(text.split(',').map((each) => each.trim()))
  const at = address(word === 'serve' ? rest : text)
  if (!at || (word === 'serve' && at.port === undefined)) return { ok: false, reason: `${FORMS}, not "${text}"` }
  const port = at.port ?? NT4_PORT
  if (port > 65_535 || (port === 0 && word !== 'serve'))
    return { ok: false, reason: `must have a port from 1 to 65535, not ${port}` }
  return { ok: true, target: { kind: word === 'serve' ? 'serve' : 'host', at: { host: at.host, port } } }
}

/** An address that the rules give to a device of a team: 10.TE.AM.last. */
export const teamAddress = (team: number, last: number): string => `10.${Math.floor(team / 100)}.${team % 100}.${last}`

const ROBOT = 2

/**
 * Where to look for the server, the likeliest first.
 *
 * A team's robot is at its radio's address, else at its name, else at the controller's USB port. A server of our own is
 * where it says it listens, so it has no address here.
 */
export const nt4Targets = (target: Nt4Target): readonly Nt4Address[] => {
  if (target.kind === 'host') return [target.at]
  if (target.kind === 'hosts') return target.at
  if (target.kind !== 'team') return []
  const { team } = target
  const hosts = [teamAddress(team, ROBOT), `roboRIO-${team}-FRC.local`, '172.22.11.2']
  return hosts.map((host) => ({ host, port: NT4_PORT }))
}

/** Reads the host of a server: a name or an address, IPv6 with or without brackets. undefined: it is none. */
export const parseHost = (text: string): string | undefined => {
  const found = address(text.split(':').length > 2 && !text.startsWith('[') ? `[${text}]` : text)
  return found?.port === undefined ? found?.host : undefined
}

/** The team that a target names; undefined: it names none. */
export const teamIn = (text: string): number | undefined => {
  const parsed = parseNt4Target(text)
  return parsed.ok && parsed.target.kind === 'team' ? parsed.target.team : undefined
}

/** An address as people write it. */
export const addressText = ({ host, port }: Nt4Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

/** The same place twice is one. */
const hostsTarget = (texts: readonly string[]): ParsedNt4Target => {
  if (texts.length > MAX_HOSTS)
    return { ok: false, reason: `must list ${MAX_HOSTS} hosts at most, not ${texts.length}` }
  const places = new Map<string, Nt4Address>()
  for (const text of texts) {
    const parsed = parseNt4Target(text)
    if (!parsed.ok) return parsed
    if (parsed.target.kind !== 'host') return { ok: false, reason: `must list hosts alone, not "${text}"` }
    places.set(addressText(parsed.target.at), parsed.target.at)
  }
  return { ok: true, target: { kind: 'hosts', at: [...places.values()] } }
}

const teamTarget = (digits: string): ParsedNt4Target => {
  const team = /^\d{1,5}$/.test(digits) ? Number(digits) : 0
  if (team < 1 || team > MAX_TEAM)
    return { ok: false, reason: `must name a team from 1 to ${MAX_TEAM}, not "${digits}"` }
  return { ok: true, target: { kind: 'team', team } }
}

const address = (text: string): { host: string; port: number | undefined } | undefined => {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || (plain !== undefined && !isName(plain))) return undefined
  return { host, port: digits === undefined ? undefined : Number(digits) }
}

/** A host name or IPv4 address: what is all digits and dots must have four bytes. */
const isName = (host: string): boolean =>
  /^[\d.]+$/.test(host)
    ? host.split('.').length === 4 && host.split('.').every((byte) => byte !== '' && Number(byte) <= 255)
    : host.length <= 253 &&
      host.split('.').every((label) => /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?$/.test(label))
