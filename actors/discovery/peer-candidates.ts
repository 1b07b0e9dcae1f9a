// The devices that were found, for all readers: it outlives the actors that find them.

import { type OwnDevice, type Received, readReceived } from '../../machines/discovery/announcement.ts'
import type { BaseUrl } from '../../machines/discovery/base-url.ts'
import {
  type Candidate,
  candidateView,
  type Entries,
  withClockSet,
  withGone,
  withHeard,
  withNextRound,
  withNobodyHeard,
  withSeen,
} from '../../machines/discovery/candidates.ts'
import { peerCandidatesChanged } from '../../machines/discovery/events.ts'
import type { ProbeFinding } from '../../machines/discovery/probe-result.ts'
import { isSameJson } from '../../machines/settings/same-json.ts'
import type { EventBus } from '../events/event-bus.ts'

/** What the list of devices that could be peers works with. */
export interface PeerCandidatesParts {
  readonly events: Pick<EventBus, 'publish'>
  readonly nowMs: () => number
  /** Until the next that is told may be told. */
  readonly wait: (ms: number) => Promise<void>
  /** Who this device is, which is none of them. */
  readonly own: () => OwnDevice | null
}

const MIN_BETWEEN_EVENTS_MS = 1_000 // strangers may say what they like, hundreds of times a second

export class PeerCandidates {
  readonly #parts: PeerCandidatesParts
  #entries: Entries = []
  #revision = 0
  #told = 0 // the revision that was told last
  #isWaiting = false

  constructor(parts: PeerCandidatesParts) {
    this.#parts = parts
  }

  /** Rises when a candidate comes, goes, or says something else of itself; not when it is only seen again. */
  get revision(): number {
    return this.#revision
  }

  /** In the order in which they came. */
  get all(): readonly Candidate[] {
    return this.#entries.map(candidateView)
  }

  /** A device says that it is there. */
  heard(received: Received): void {
    const heard = readReceived(received)
    if (heard && !this.#isOwn(heard.device_id))
      this.#change((entries) => withHeard(entries, heard, this.#parts.nowMs()))
  }

  /** A device says that it goes. */
  gone(received: Received): void {
    const heard = readReceived(received)
    if (heard) this.#change((entries) => withGone(entries, heard.device_id))
  }

  /** Who has been silent for some rounds is gone. */
  nextRound(): void {
    this.#change(withNextRound)
  }

  /** Nobody can be heard any more. */
  deaf(): void {
    this.#change(withNobodyHeard)
  }

  /** An address was looked at. */
  seen(at: BaseUrl, seen: ProbeFinding): void {
    if (seen.hello && this.#isOwn(seen.hello.device_id)) return
    this.#change((entries) => withSeen(entries, at, seen, this.#parts.nowMs()))
  }

  /** The wall clock was set: all was found so much later. */
  clockSet(byMs: number): void {
    this.#change((entries) => withClockSet(entries, byMs))
  }

  #isOwn(device_id: string): boolean {
    return this.#parts.own()?.device_id === device_id
  }

  #change(change: (entries: Entries) => Entries): void {
    const before = this.#entries
    this.#entries = change(before)
    if (isSameJson(shown(before), shown(this.#entries))) return
    this.#revision += 1
    this.#tell()
  }

  /** Reports the first change at once, and the changes of the second after it together. */
  #tell(): void {
    if (this.#isWaiting || this.#told === this.#revision) return
    this.#told = this.#revision
    this.#isWaiting = true
    this.#parts.events.publish(peerCandidatesChanged, { resource_ref: {}, revision: this.#revision })
    void this.#parts.wait(MIN_BETWEEN_EVENTS_MS).then(() => {
      this.#isWaiting = false
      this.#tell()
    })
  }
}

/** What is news. */
const shown = (entries: Entries) => entries.map((entry) => ({ ...candidateView(entry), last_seen_ms: 0 }))
