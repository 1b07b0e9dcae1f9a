// One question to a peer for all who want the same picture while it is on its way.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { PeerPicture } from '../../native/tunnels/port.ts'
import { answerUntil } from '../run.ts'
import { CLOSED, type TunnelRequest } from './shared-tunnels.ts'

interface Asked extends TunnelRequest {
  readonly answer: Promise<PeerPicture | Fault>
  readonly end: () => void
}

/** All pictures that are on their way. */
export class SharedPictures {
  readonly #asked = new Map<string, Asked>()

  /**
   * The picture that a question has, asked for when nobody waits for it yet. known: what the one who asks has already.
   */
  to(
    of: TunnelRequest,
    known: Readonly<Record<string, string>>,
    ask: Effect.Effect<PeerPicture, Fault>,
  ): Promise<PeerPicture | Fault> {
    const key = JSON.stringify([of.peer_id, of.address, of.path, Object.entries(known).sort()])
    const underWay = this.#asked.get(key)
    if (underWay) return underWay.answer
    const way = new AbortController()
    const answer = answerUntil(way.signal, ask, () => CLOSED).finally(() => this.#asked.delete(key))
    this.#asked.set(key, { ...of, answer, end: () => way.abort() })
    return answer
  }

  /** The peers that are asked for some. */
  peers(): readonly string[] {
    return [...this.#asked.values()].map(({ peer_id }) => peer_id)
  }

  /** Ends those of a peer, for all who wait. but: those with this address go on. */
  close(peer_id: string, but?: string): void {
    for (const each of this.#asked.values()) if (each.peer_id === peer_id && each.address !== but) each.end()
  }

  closeAll(): void {
    for (const { end } of this.#asked.values()) end()
  }
}
