// Pictures of peers for those who watch here.
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { pathPart } from '../../machines/interdevice/path-part.ts'
import type { PeerTarget, PeerWire } from '../../native/peers/port.ts'
import type {
  FrameViewer,
  PeerPicture,
  PreviewTunnel,
  PreviewViewer,
  Tunnel,
  TunnelAsk,
  TunnelPort,
} from '../../native/tunnels/port.ts'
import type { PeerAccess } from './peer-access.ts'
import { SharedPictures } from './shared-pictures.ts'
import { CLOSED, type PeerReach, type SharedTunnel, SharedTunnels, type TunnelRequest } from './shared-tunnels.ts'

const DIAL_LIMIT_MS = 2_000
const LINGER_MS = 1_500 // a page that is loaded again, or a viewer who changes places

/** As much of the way to a peer as pictures need. */
export type PeerWay = Pick<PeerAccess, 'target' | 'state'>

/**
 * What becomes of a link when nothing comes through it any more. A connection may stand for a quarter of an hour then
 * without anybody knowing that it is dead.
 */
const LOST: ReadonlySet<PeerWay['state']> = new Set([
  ...(['stale', 'backing-off', 'offline', 'refused', 'legacy', 'failed'] as const),
])

/** On the way to a link nobody knows yet whether there will be one. */
const linkIn = (state: PeerWay['state']): boolean | null => state === 'linked' || (LOST.has(state) ? false : null)

/** A question to a peer, and whether there is a link to it. */
interface WayAsk extends TunnelAsk {
  readonly hasLink: boolean
}

/** What the tunnels work with. */
export interface TunnelsParts {
  readonly wire: Pick<PeerWire, 'dial' | 'ask'>
  readonly port: TunnelPort
  readonly accessTo: (peer_id: string) => PeerWay | Fault
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  /** How long a tunnel stays that nobody watches. */
  readonly lingerMs?: number
}

/** Which pictures. query: as the peer is to be asked. */
export interface RemotePictures {
  readonly peer_id: string
  readonly stream_id: string
  readonly query: Readonly<Record<string, unknown>>
}

/** All pictures that are passed through this device. No stream, engine or decoder here takes part in that. */
export class Tunnels {
  readonly #parts: TunnelsParts
  readonly #previews: SharedTunnels<PreviewViewer, PreviewTunnel>
  readonly #frames: SharedTunnels<FrameViewer, Tunnel<FrameViewer>>
  readonly #pictures = new SharedPictures()

  constructor(parts: TunnelsParts) {
    this.#parts = parts
    const { record, lingerMs = LINGER_MS } = parts
    this.#previews = new SharedTunnels({ record, lingerMs })
    this.#frames = new SharedTunnels({ record, lingerMs })
  }

  /** Why a peer cannot be asked for pictures; undefined: it can be tried. */
  refusal(peer_id: string): Fault | undefined {
    const access = this.#parts.accessTo(peer_id)
    return isFault(access) ? access : undefined
  }

  /** Live pictures, into whose tunnel viewers may be let at once; or why there are none. */
  async preview(of: RemotePictures): Promise<SharedTunnel<PreviewViewer, PreviewTunnel> | Fault> {
    const ask = this.#ask(of, 'preview')
    if (isFault(ask)) return ask
    const { wire, port } = this.#parts
    const dialling = wire.dial(ask.target, DIAL_LIMIT_MS, { bringsMuch: true })
    const opening = Effect.flatMap(dialling, (connection) => port.preview(connection, ask))
    return this.#previews.open(tunnelOf(of, ask), opening)
  }

  /** The same for WebSockets. A peer of a version that knows no results is asked for pictures without them. */
  async frames(of: RemotePictures): Promise<SharedTunnel<FrameViewer, Tunnel<FrameViewer>> | Fault> {
    const ask = this.#ask(of, 'frames')
    if (isFault(ask)) return ask
    const { wire, port } = this.#parts
    const openingOf = (asked: TunnelAsk) =>
      Effect.flatMap(wire.dial(asked.target, DIAL_LIMIT_MS), (connection) => port.frames(connection, asked))
    const { results, outputs: _, ...known } = of.query
    const plain = results === true ? this.#ask({ ...of, query: known }, 'frames') : undefined
    const opening = Effect.catch(openingOf(ask), (fault) =>
      plain && !isFault(plain) && fault.code === 'query.invalid' ? openingOf(plain) : Effect.fail(fault),
    )
    return this.#frames.open(tunnelOf(of, ask), opening)
  }

  /** What is found in frames, without the pictures: messages of text. query: of `/v1/interdevice/results`. */
  async results(
    of: Omit<RemotePictures, 'stream_id'>,
  ): Promise<SharedTunnel<FrameViewer, Tunnel<FrameViewer>> | Fault> {
    const ask = this.#askAt(of, '/v1/interdevice/results')
    if (isFault(ask)) return ask
    const { wire, port } = this.#parts
    const dialling = wire.dial(ask.target, DIAL_LIMIT_MS)
    return this.#frames.open(
      tunnelOf(of, ask),
      Effect.flatMap(dialling, (connection) => port.frames(connection, ask)),
    )
  }

  /** One picture. known: what the one who asks has already (`if-none-match`, `if-modified-since`). */
  async picture(of: RemotePictures, known: Readonly<Record<string, string>>): Promise<PeerPicture | Fault> {
    const ask = this.#ask(of, 'frame')
    if (isFault(ask)) return ask
    const { wire, port } = this.#parts
    const found = await this.#pictures.to(tunnelOf(of, ask), known, port.picture(wire, ask, known))
    const now = this.#ask(of, 'frame') // it may be another peer by now
    if (isFault(now)) return now
    return addressOf(now.target) === addressOf(ask.target) ? found : CLOSED
  }

  /** How many connections to peers there are for those who watch. */
  get size(): number {
    return this.#previews.size + this.#frames.size
  }

  /**
   * Ends at once what may not go on, for all who watch it: all of a peer that is none any more, all that was open when
   * the link to it was lost, and what comes from where it is not any more, or by what it is not known any more.
   */
  review(): void {
    const all = [this.#previews, this.#frames, this.#pictures] as const
    for (const id of new Set(all.flatMap((each) => each.peers()))) {
      const access = this.#parts.accessTo(id)
      const now: PeerReach = isFault(access)
        ? { address: undefined, link: false }
        : { address: addressOf(access.target), link: linkIn(access.state) }
      this.#previews.review(id, now)
      this.#frames.review(id, now)
      this.#pictures.close(id, now.address) // one that is on its way may still come through a link that is lost
    }
  }

  closeAll(): void {
    this.#previews.closeAll()
    this.#frames.closeAll()
    this.#pictures.closeAll()
  }

  #ask(of: RemotePictures, what: 'preview' | 'frame' | 'frames'): WayAsk | Fault {
    return this.#askAt(of, `/v1/interdevice/streams/${pathPart(of.stream_id)}/${what}`)
  }

  #askAt({ peer_id, query }: Omit<RemotePictures, 'stream_id'>, path: string): WayAsk | Fault {
    const access = this.#parts.accessTo(peer_id)
    if (isFault(access)) return access
    const said = queryText(query)
    return { target: access.target, path: said === '' ? path : `${path}?${said}`, hasLink: access.state === 'linked' }
  }
}

/** By name, so that the same question has one text. */
const queryText = (query: RemotePictures['query']): string => {
  const said = Object.entries(query).filter(([, value]) => value !== undefined)
  return new URLSearchParams(said.map(([name, value]): [string, string] => [name, String(value)]).sort()).toString()
}

const tunnelOf = ({ peer_id }: Pick<RemotePictures, 'peer_id'>, { target, path, hasLink }: WayAsk): TunnelRequest => ({
  peer_id,
  address: addressOf(target),
  path,
  hasLink,
})

/** A peer that has moved, or is known by something else now, is another one. */
const addressOf = ({ origin, fingerprint, token }: PeerTarget): string => JSON.stringify([origin, fingerprint, token])
