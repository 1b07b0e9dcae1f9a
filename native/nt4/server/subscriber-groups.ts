// Which clients are sent to together: all that subscribe to the same, but for publishers, since none gets its own
// values back, and clients that have not read what they were sent.

import { Congestion, isCongested } from './congestion.ts'
import { type Demand, demandsOf } from './demand.ts'
import type { Pace } from './outbox.ts'
import { type Member, SubscriberGroup } from './subscriber-group.ts'
import type { ServerTopic } from './topics.ts'

/** Every client is in one audience. */
export class SubscriberGroups {
  readonly #all = new Set<SubscriberGroup>()
  readonly #shared = new Map<string, SubscriberGroup>()
  readonly #alone = new Set<SubscriberGroup>()
  readonly #audienceOf = new Map<Member, SubscriberGroup>()

  /**
   * Puts a client where it belongs: after it came, and after its subscriptions or publications changed. What waits for
   * it is not lost.
   */
  place(client: Member): void {
    const demands = demandsOf(client.subscriptions.values())
    const before = this.#audienceOf.get(client)
    const alone = client.publications.size > 0 || isCongested(client.unread)
    if (alone && before && this.#alone.has(before)) {
      before.demand(demands)
      return
    }
    const audience = alone ? this.#audienceAlone(client, demands) : this.#audienceWith(demands)
    if (audience === before) return
    const waiting = this.#leave(client)
    this.#audienceOf.set(client, audience)
    audience.join(client)
    if (alone) audience.takeOver(waiting)
    else for (const { topicId, message } of waiting) client.sendSoon(topicId, message)
  }

  remove(client: Member): void {
    this.#leave(client)
  }

  /** How a client wants the topic's values; undefined when it does not. */
  paceOf(client: Member, topic: ServerTopic): Pace | undefined {
    return this.#audienceOf.get(client)?.paceOf(topic)
  }

  /** Whether anybody wants the topic's values. */
  want(topic: ServerTopic): boolean {
    return [...this.#all].some((audience) => audience.paceOf(topic))
  }

  /** Takes a complete message for all who want it. from: who is not to get it back. */
  offer(topic: ServerTopic, message: Uint8Array, from?: Member): void {
    const own = from && this.#audienceOf.get(from)
    for (const audience of this.#all) if (audience !== own) audience.offer(topic, message)
  }

  /** Takes a complete message for one client that wants it. */
  offerTo(client: Member, topic: ServerTopic, message: Uint8Array): void {
    const audience = this.#audienceOf.get(client)
    if (audience && this.#alone.has(audience)) audience.offer(topic, message)
    else client.sendSoon(topic.id, message)
  }

  forget(topicId: number): void {
    for (const audience of this.#all) audience.forget(topicId)
  }

  #leave(client: Member) {
    const audience = this.#audienceOf.get(client)
    if (!audience) return []
    this.#audienceOf.delete(client)
    const waiting = audience.leave(client)
    if (audience.isEmpty) this.#drop(audience)
    return waiting
  }

  #drop(audience: SubscriberGroup): void {
    this.#all.delete(audience)
    this.#alone.delete(audience)
    for (const [key, shared] of this.#shared) if (shared === audience) this.#shared.delete(key)
  }

  #audienceWith(demands: readonly Demand[]): SubscriberGroup {
    const key = JSON.stringify(demands)
    const existing = this.#shared.get(key)
    if (existing) return existing
    const audience = new SubscriberGroup(demands, () => {
      for (const client of [...audience.members]) if (isCongested(client.unread)) this.place(client)
      return true
    })
    this.#shared.set(key, audience)
    this.#all.add(audience)
    return audience
  }

  #audienceAlone(client: Member, demands: readonly Demand[]): SubscriberGroup {
    const congestion = new Congestion(
      () => client.unread,
      () => client.terminate(),
    )
    const audience = new SubscriberGroup(demands, (nowMs) => {
      const takes = congestion.takes(nowMs)
      if (takes && client.publications.size === 0) this.place(client)
      return takes
    })
    this.#alone.add(audience)
    this.#all.add(audience)
    return audience
  }
}
