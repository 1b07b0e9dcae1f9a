// Clients that want the same values at the same pace: what they are sent is put together once, and every one of them is
// sent those bytes.

import { binaryFrame } from '../../../machines/websocket/server-frame.ts'
import type { Client } from './client.ts'
import { type Demand, paceOf } from './demand.ts'
import { type Offered, type Pace, ValueOutbox, type Waiting } from './outbox.ts'
import type { ServerTopic } from './topics.ts'

/** A client as far as it is sent values. */
export type Member = Pick<
  Client,
  'subscriptions' | 'publications' | 'unread' | 'sendFrame' | 'sendMessages' | 'sendSoon' | 'terminate'
>

/** takes: as a sink's; asked before anything is sent. */
export class SubscriberGroup {
  readonly #outbox: ValueOutbox
  readonly #members = new Map<Member, number>()
  readonly #paces = new Map<number, Pace | undefined>()
  #demands: readonly Demand[]

  constructor(demands: readonly Demand[], takes: (nowMs: number) => boolean) {
    this.#demands = demands
    this.#outbox = new ValueOutbox({ takes, send: (values) => this.#send(values) })
  }

  get members(): IterableIterator<Member> {
    return this.#members.keys()
  }

  get isEmpty(): boolean {
    return this.#members.size === 0
  }

  /** All of them want something else from now on; what waits is still sent. */
  demand(demands: readonly Demand[]): void {
    this.#demands = demands
    this.#paces.clear()
  }

  /** It gets what is offered from now on. */
  join(client: Member): void {
    this.#members.set(client, this.#outbox.offered)
  }

  /** What waits for it is returned. */
  leave(client: Member): readonly Waiting[] {
    const waiting = this.#outbox.waitingAfter(this.#members.get(client) ?? 0)
    this.#members.delete(client)
    if (this.isEmpty) this.#outbox.stop()
    return waiting
  }

  /** How they want the topic's values; undefined when they do not. */
  paceOf({ id, name }: ServerTopic): Pace | undefined {
    if (!this.#paces.has(id)) this.#paces.set(id, paceOf(this.#demands, name))
    return this.#paces.get(id)
  }

  /** Takes a complete message of a topic that they may want. */
  offer(topic: ServerTopic, message: Uint8Array): void {
    const pace = this.paceOf(topic)
    if (pace) this.#outbox.offer(topic.id, message, pace)
  }

  /** Takes what waited elsewhere. */
  takeOver(waiting: readonly Waiting[]): void {
    for (const { topicId, message, pace } of waiting) this.#outbox.offer(topicId, message, pace)
  }

  forget(topicId: number): void {
    this.#paces.delete(topicId)
    this.#outbox.forget(topicId)
  }

  #send(values: readonly Offered[]): void {
    const frame = binaryFrame(values.map(({ message }) => message))
    const first = Math.min(...values.map(({ number }) => number))
    for (const [client, heardOf] of this.#members) {
      if (heardOf < first) client.sendFrame(frame)
      else client.sendMessages(values.filter(({ number }) => number > heardOf).map(({ message }) => message))
    }
  }
}
