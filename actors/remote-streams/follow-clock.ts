// Carries the clock of a peer to the stream here that processes its pictures.
import { sourceClockOf } from '../../machines/clock/source-clock.ts'
import type { PeerRegistry } from '../peers/peer-registry.ts'
import type { PeerRuntime } from '../peers/peer-runtime.ts'
import type { Talk } from '../run.ts'
import type { RemoteStream } from './remote-streams.ts'

/**
 * From now on, whichever device is registered as the peer and whichever stream stands for the order. Returns the way to
 * stop, after which the stream knows of no clock.
 */
export const followClock = (
  remote: RemoteStream,
  peers: Pick<PeerRegistry, 'get' | 'subscribe'>,
  guard: Talk['guard'],
): (() => void) => {
  let peer: PeerRuntime | undefined
  let leave = () => {}
  const tell = () => {
    const known = peer?.clock.estimate
    remote.stream.sourceClock.set(known ? sourceClockOf(known) : null)
  }
  const look = () => {
    const now = peers.get(remote.peer_id)
    if (now === peer) return
    leave()
    peer = now
    leave = now?.clock.follow(guard(tell)) ?? (() => {})
    tell()
  }
  const stops = [peers.subscribe(guard(look)), remote.changed.add(guard(tell))]
  look()
  return () => {
    for (const stop of stops) stop()
    leave()
    remote.stream.sourceClock.set(null)
  }
}
