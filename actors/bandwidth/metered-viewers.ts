// Whether there are viewers and listeners over the network, and every change of that.
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'

type Streams = Pick<StreamRegistry, 'all' | 'subscribe'>

/** Of any stream. */
export const isWatchedOverNetwork = (streams: Pick<Streams, 'all'>): boolean =>
  streams
    .all()
    .some(
      ({ viewers: { pictures, video, results } }) =>
        pictures.metered().length > 0 || video.metered.viewers > 0 || results.metered.listeners > 0,
    )

/**
 * Calls back whenever a viewer came or left, at any stream, also at later ones. Returns the function that stops that.
 */
export const onViewers = (streams: Streams, changed: () => void): (() => void) => {
  const stops = new Map<StreamRuntime, () => void>()
  const follow = () => {
    const all = streams.all()
    for (const [stream, stop] of stops) {
      if (all.includes(stream)) continue
      stop()
      stops.delete(stream)
    }
    for (const stream of all) {
      if (stops.has(stream)) continue
      const { pictures, video, results } = stream.viewers
      const each = [pictures.subscribe(changed), video.onMetered(changed), results.onMetered(changed)]
      stops.set(stream, () => {
        for (const stop of each) stop()
      })
    }
    changed()
  }
  const unfollow = streams.subscribe(follow)
  follow()
  return () => {
    unfollow()
    for (const stop of stops.values()) stop()
  }
}
