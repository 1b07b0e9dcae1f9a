// One connection to a peer for all who want the same of it: opened for the first of them, kept until a moment after the
// last has left.
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import type * as Scope from 'effect/Scope'
import { type Fault, faultOf } from '../../machines/errors/fault.ts'
import type { Tunnel } from '../../native/tunnels/port.ts'

/** A tunnel that is open. join: lets a viewer in. */
export interface SharedTunnel<Viewer, Open extends Tunnel<Viewer>> {
  readonly tunnel: Open
  readonly join: (viewer: Viewer) => void
}

/** What tunnels are shared with. */
export interface SharedTunnelsParts {
  /** How long one stays that nobody watches. */
  readonly lingerMs: number
  /** Enters what goes wrong with one that was open, where that is news. */
  readonly record: (fault: Fault) => void
}

/** The peer and the path that a tunnel is asked for. */
export interface TunnelRequest {
  readonly peer_id: string
  /** Where the peer is, and by what it is known. */
  readonly address: string
  readonly path: string
  /** Whether there is a link to it. */
  readonly hasLink: boolean
}

/** Whether a peer can be reached. */
export interface PeerReach {
  /** Undefined: it is none any more. */
  readonly address: string | undefined
  /** Whether there is one; null: that is about to be seen. */
  readonly link: boolean | null
}

/** All tunnels of one sort. */
export class SharedTunnels<Viewer, Open extends Tunnel<Viewer>> {
  readonly #parts: SharedTunnelsParts
  readonly #tunnels = new Map<string, Map<string, TunnelEntry<Viewer, Open>>>()

  constructor(parts: SharedTunnelsParts) {
    this.#parts = parts
  }

  /** The tunnel of a peer for a question, opened when there is none. Who comes meanwhile waits for the same opening. */
  open(
    { peer_id, address, path, hasLink }: TunnelRequest,
    open: Effect.Effect<Open, Fault, Scope.Scope>,
  ): Promise<SharedTunnel<Viewer, Open> | Fault> {
    const ofPeer = this.#tunnels.get(peer_id) ?? new Map<string, TunnelEntry<Viewer, Open>>()
    const key = address + path
    const known = ofPeer.get(key)
    if (known) return known.opened
    const { lingerMs, record } = this.#parts
    const made = new TunnelEntry<Viewer, Open>(
      { address, hasLink, lingerMs },
      {
        over: () => {
          if (ofPeer.get(key) === made) ofPeer.delete(key)
          if (ofPeer.size === 0 && this.#tunnels.get(peer_id) === ofPeer) this.#tunnels.delete(peer_id)
        },
        failed: (fault) => {
          // that one the link tells
          if (fault.code !== 'peer.unreachable') record({ resource: `peers/${peer_id}`, ...fault })
        },
      },
    )
    ofPeer.set(key, made)
    this.#tunnels.set(peer_id, ofPeer)
    made.run(open)
    return made.opened
  }

  /** The peers to which there are some. */
  peers(): readonly string[] {
    return [...this.#tunnels.keys()]
  }

  /** How many there are. */
  get size(): number {
    return [...this.#tunnels.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** TunnelListener those of a peer that may not go on, and all who watch or wait. */
  review(peer_id: string, now: PeerReach): void {
    for (const tunnel of this.#of(peer_id)) tunnel.review(now)
  }

  closeAll(): void {
    for (const peer_id of [...this.#tunnels.keys()]) for (const tunnel of this.#of(peer_id)) tunnel.close()
  }

  #of(peer_id: string): readonly TunnelEntry<Viewer, Open>[] {
    return [...(this.#tunnels.get(peer_id)?.values() ?? [])]
  }
}

/** The fault of those who waited for a tunnel that was closed. */
export const CLOSED: Fault = {
  code: 'peer.unreachable',
  detail: 'the peer has just become another, or the link to it has ended; ask again',
}

/** Is told of the end of a tunnel. */
interface TunnelListener {
  /** Nobody may be let in any more. */
  readonly over: () => void
  /** What went wrong with it after it was open. */
  readonly failed: (fault: Fault) => void
}

/** hasLink: when it is opened. */
interface SharedOptions {
  readonly address: string
  readonly hasLink: boolean
  readonly lingerMs: number
}

/** One tunnel, from its opening to its end. */
class TunnelEntry<Viewer, Open extends Tunnel<Viewer>> {
  readonly opened: Promise<SharedTunnel<Viewer, Open> | Fault>
  readonly #tell: (opened: SharedTunnel<Viewer, Open> | Fault) => void
  readonly #address: string
  readonly #lingerMs: number
  readonly #ends: TunnelListener
  #hasLink: boolean
  #viewers = 0
  #isOpen = false
  #timer: NodeJS.Timeout | undefined
  #fiber: Fiber.Fiber<never, Fault> | undefined

  constructor({ address, hasLink, lingerMs }: SharedOptions, ends: TunnelListener) {
    this.#address = address
    this.#hasLink = hasLink
    const { promise, resolve } = Promise.withResolvers<SharedTunnel<Viewer, Open> | Fault>()
    this.opened = promise
    this.#tell = resolve
    this.#lingerMs = lingerMs
    this.#ends = ends
  }

  run(open: Effect.Effect<Open, Fault, Scope.Scope>): void {
    const program = Effect.flatMap(open, (tunnel) => {
      this.#isOpen = true
      this.#linger()
      this.#tell({ tunnel, join: (viewer) => this.#join(tunnel, viewer) })
      return tunnel.ended
    })
    this.#fiber = Effect.runFork(Effect.scoped(program))
    this.#fiber.addObserver((exit) => {
      const fault = endIn(exit)
      this.#leave()
      if (fault && this.#isOpen) this.#ends.failed(fault)
      this.#tell(fault ?? CLOSED) // those who still wait
    })
  }

  /**
   * It ends with the link beside which it was. One that was opened without a link needs none: what comes through it
   * shows that the peer is there.
   */
  review({ address, link }: PeerReach): void {
    if (address !== this.#address || (link === false && this.#hasLink)) this.close()
    else if (link) this.#hasLink = true
  }

  close(): void {
    this.#leave()
    if (this.#fiber) Effect.runFork(Fiber.interrupt(this.#fiber))
  }

  #leave(): void {
    clearTimeout(this.#timer)
    this.#ends.over()
  }

  #join(tunnel: Open, viewer: Viewer): void {
    clearTimeout(this.#timer)
    this.#viewers += 1
    tunnel.join(viewer, () => {
      this.#viewers -= 1
      if (this.#viewers === 0) this.#linger()
    })
  }

  /** It is kept for a moment without anybody who watches. */
  #linger(): void {
    this.#timer = setTimeout(() => this.close(), this.#lingerMs).unref()
  }
}

/** What went wrong; undefined: it was closed. */
const endIn = (exit: Exit.Exit<never, Fault>): Fault | undefined => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return undefined
  return faultOf(Cause.squash(exit.cause))
}
