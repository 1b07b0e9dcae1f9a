// The sharing of the bandwidth, one look after the other: what is watched over the network is measured, shared, and told to the streams.
import { bytesPerSecondOf, mbitPerSecondOf } from '../../machines/bandwidth/budget.ts'
import { EVERYTHING, rateOf } from '../../machines/bandwidth/ladder.ts'
import { unwatched } from '../../machines/bandwidth/report.ts'
import { type Decision, share } from '../../machines/bandwidth/share.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import { FollowedKind, idOf } from './followed-kind.ts'

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
  #decision: Decision | undefined
  #lookedUs: number | undefined

  constructor(parts: SharingParts) {
    this.#parts = parts
  }

  /** Gives everybody his part, by what is the case now. */
  look(): void {
    const { streams, clock, budget_mbit_s } = this.#parts
    const nowUs = clock.monotonicUs()
    const seconds = this.#lookedUs === undefined ? Number.POSITIVE_INFINITY : (nowUs - this.#lookedUs) / 1e6
    const followed = streams
      .all()
      .flatMap((stream) =>
        stream.pictures
          .metered()
          .map((kind) => new FollowedKind(stream, kind, nowUs, this.#followed.get(idOf(stream, kind)))),
      )
    const previews = followed.map(({ preview }) => preview)
    const { grants, decision } = share(previews, bytesPerSecondOf(budget_mbit_s), this.#decision)
    const grantOf = ({ preview: { id } }: FollowedKind) => grants.get(id) ?? EVERYTHING
    const figuresOf = (some: readonly FollowedKind[]) => ({
      demand: mbitPerSecondOf(sum(some.map(({ preview }) => rateOf(preview, EVERYTHING)))),
      granted: mbitPerSecondOf(sum(some.map((each) => rateOf(each.preview, grantOf(each))))),
      sent: mbitPerSecondOf(sum(some.map(({ sentBytes }) => sentBytes)) / seconds),
    })
    const device = figuresOf(followed)
    this.#decision = decision
    this.#lookedUs = nowUs
    this.#followed = new Map(followed.map((each) => [each.preview.id, each]))
    for (const stream of streams.all()) {
      const own = followed.filter((each) => each.stream === stream)
      stream.pictures.grant(new Map(own.map((each) => [each.kind.key, each.grant(grantOf(each), nowUs)])))
      const { demand, granted, sent } = figuresOf(own)
      stream.bandwidth.set({
        ...unwatched(budget_mbit_s, stream.manifest.priority),
        ...{ demand_mbit_s: demand, granted_mbit_s: granted, sent_mbit_s: sent },
        ...{ device_demand_mbit_s: device.demand, device_granted_mbit_s: device.granted },
        previews: own.map(({ figures }) => figures),
      })
    }
  }

  /** Nobody watches over the network any more, or nobody shares: everybody gets what he asks for. */
  end(): void {
    for (const stream of this.#parts.streams.all()) {
      stream.pictures.grant(new Map())
      stream.bandwidth.set(undefined)
    }
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
