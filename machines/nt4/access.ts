// The access policy of the embedded NT4 server: docs/decisions/0040-pages-and-the-nt4-server.md as one pure decision.
import { addressedTo, hostOf, originIsTrusted, pathOfTarget } from '../http/access.ts'

/** What the server goes by. */
export interface Nt4AccessRules {
  /** Of this device, besides its addresses. */
  readonly names: readonly string[]
  /** Of foreign pages that may connect. */
  readonly origins: readonly string[]
}

/** What a request says about itself. */
export interface Nt4Request {
  /** Its first line's. */
  readonly target: string
  /** All its Host headers. */
  readonly hosts: readonly string[]
  /** Only browsers send one. */
  readonly origin: string | undefined
  readonly upgrade: boolean
}

/** path: of what is asked for, when the request may pass; else why it may not, as a sentence for people. */
export type Nt4Access =
  | { readonly outcome: 'passes'; readonly path: string }
  | { readonly outcome: 'malformed' | 'misdirected' | 'foreign'; readonly reason: string }

/**
 * Decides about a request.
 *
 * A connection without an Origin is no browser's, so no page is behind it, and whatever name it goes by may be how this
 * device is reached from there. A page's is looked at, and so is a plain request, since a browser sends it without an
 * Origin where it takes the server for the page's own. What a foreign page may not read, its browser keeps from it.
 */
export const nt4Access = ({ target, hosts, origin, upgrade }: Nt4Request, rules: Nt4AccessRules): Nt4Access => {
  const isProgram = upgrade && origin === undefined
  if (isProgram && hosts.length === 1) return { outcome: 'passes', path: pathOfTarget(target) }
  const found = addressedTo(target, hosts, rules.names)
  if (found.outcome === 'host.unknown') {
    const reason = `this device is not called ${JSON.stringify(found.authority)}; use its address, or one of its names`
    return { outcome: 'misdirected', reason }
  }
  if (found.outcome !== 'ours')
    return { outcome: 'malformed', reason: `a request must have one Host header, and this one has ${hosts.length}` }
  if (!upgrade || origin === undefined || originMayConnect(origin, found.authority, rules.origins))
    return { outcome: 'passes', path: found.path }
  return { outcome: 'foreign', reason: `pages from ${origin} may not connect to this NT4 server` }
}

/**
 * Whether a page may connect: any but one from the web.
 *
 * From this device, whatever its port; from the computer on which the page is shown (its browser takes `*.localhost` to
 * itself); from an installed program, which has a scheme of its own (`file://`, `app://`, `tauri://localhost`). Not
 * `null`: every page can be that.
 */
const originMayConnect = (origin: string, authority: string, listed: readonly string[]): boolean => {
  if (originIsTrusted(origin, authority, listed)) return true
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/.exec(origin.toLowerCase()) ?? []
  if (scheme === undefined) return false
  if (scheme !== 'http' && scheme !== 'https') return true
  const host = hostOf(rest)
  return host !== undefined && (host === hostOf(authority) || isOnTheSameComputer(host))
}

const isOnTheSameComputer = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
