// The sharing of the bandwidth, one look after the other: what is watched over the network is measured, shared, and
// told to the streams.
import { bytesPerSecondOf, mbitPerSecondOf } from '../../machines/bandwidth/budget.ts'
import { EVERYTHING, rateOf } from '../../machines/bandwidth/ladder.ts'
import { unwatched } from '../../machines/bandwidth/report.ts'
import { type Decision, share } from '../../machines/bandwidth/share.ts'
import { leftByVideo, videoRateOf } from '../../machines/bandwidth/video.ts'
import type { MeteredVideo } from '../../machines/stream/video.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'
import { FollowedKind, idOf } from './followed-kind.ts'
import { FollowedResults } from './followed-results.ts'

/** What it takes to share. budget_mbit_s: what there is. */
export interface SharingParts {
  readonly streams: Pick<StreamRegistry, 'all'>
  readonly clock: Pick<Clock, 'monotonicUs'>
  readonly budget_mbit_s: number
}

/** From the first who watches over the network to the last. */
export class Sharing {
  readonly #parts: SharingParts
  #followed: ReadonlyMap<string, FollowedKind> = new Map()
  #videoBytes: ReadonlyMap<StreamRuntime, number> = new Map()
  #results: ReadonlyMap<StreamRuntime, FollowedResults> = new Map()
  #decision: Decision | undefined
  #lookedUs: number | undefined

  constructor(parts: SharingParts) {
    this.#parts = parts
  }

  /** Gives each viewer its part, by what is the case now. */
  look(): void {
    const { streams, clock, budget_mbit_s } = this.#parts
    const nowUs = clock.monotonicUs()
    const seconds = this.#lookedUs === undefined ? Number.POSITIVE_INFINITY : (nowUs - this.#lookedUs) / 1e6
    const all = streams.all()
    const followed = all.flatMap((stream) =>
      stream.viewers.pictures
        .metered()
        .map((kind) => new FollowedKind(stream, kind, nowUs, this.#followed.get(idOf(stream, kind)))),
    )
    const previews = followed.map(({ preview }) => preview)
    const videos = all.map((stream) => followedVideo(stream, this.#videoBytes.get(stream)))
    const results = all.map((stream) => new FollowedResults(stream, nowUs, this.#results.get(stream)))
    const leftByResults = bytesPerSecondOf(budget_mbit_s) - sum(results.map(({ bytesPerS }) => bytesPerS))
    const left = leftByVideo(sum(videos.map(({ viewers }) => viewers)), leftByResults)
    const { grants, decision } = share(previews, left, this.#decision)
    const grantOf = ({ preview: { id } }: FollowedKind) => grants.get(id) ?? EVERYTHING
    const figuresOf = (
      some: readonly FollowedKind[],
      video: readonly FollowedVideo[],
      told: readonly FollowedResults[],
    ) => {
      const reserved =
        videoRateOf(sum(video.map(({ viewers }) => viewers))) + sum(told.map(({ bytesPerS }) => bytesPerS))
      return {
        demand: mbitPerSecondOf(reserved + sum(some.map(({ preview }) => rateOf(preview, EVERYTHING)))),
        granted: mbitPerSecondOf(reserved + sum(some.map((each) => rateOf(each.preview, grantOf(each))))),
        sent: mbitPerSecondOf(sum([...some, ...video, ...told].map(({ sentBytes }) => sentBytes)) / seconds),
      }
    }
    const device = figuresOf(followed, videos, results)
    this.#decision = decision
    this.#lookedUs = nowUs
    this.#followed = new Map(followed.map((each) => [each.preview.id, each]))
    this.#videoBytes = new Map(videos.map(({ stream, bytes }) => [stream, bytes]))
    this.#results = new Map(results.map((each) => [each.stream, each]))
    for (const stream of all) {
      const own = followed.filter((each) => each.stream === stream)
      stream.viewers.pictures.grant(new Map(own.map((each) => [each.kind.key, each.grant(grantOf(each), nowUs)])))
      const video = videos.filter((each) => each.stream === stream)
      const told = results.filter((each) => each.stream === stream)
      const { demand, granted, sent } = figuresOf(own, video, told)
      stream.viewers.bandwidth.set({
        ...unwatched(budget_mbit_s, stream.manifest.priority),
        demand_mbit_s: demand,
        granted_mbit_s: granted,
        sent_mbit_s: sent,
        device_demand_mbit_s: device.demand,
        device_granted_mbit_s: device.granted,
        previews: own.map(({ figures }) => figures),
        video_viewers: sum(video.map(({ viewers }) => viewers)),
        result_listeners: sum(told.map(({ listeners }) => listeners)),
      })
    }
  }

  /** There are no viewers over the network any more, or no sharing: each gets what it asks for. */
  end(): void {
    for (const stream of this.#parts.streams.all()) {
      stream.viewers.pictures.grant(new Map())
      stream.viewers.bandwidth.set(undefined)
    }
  }
}

/** The H.264 of a stream, as one look finds it. bytes: ever. sentBytes: since the look before. */
interface FollowedVideo extends MeteredVideo {
  readonly stream: StreamRuntime
  readonly sentBytes: number
}

const followedVideo = (stream: StreamRuntime, bytesBefore: number | undefined): FollowedVideo => {
  const { viewers, bytes } = stream.viewers.video.metered
  return { stream, viewers, bytes, sentBytes: bytes - (bytesBefore ?? bytes) }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
