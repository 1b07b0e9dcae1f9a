// What a subscription asks for, as far as that decides which values are sent, and when.
import type { JsonMap } from '../control.ts'
import { matches } from '../match.ts'
import type { Pace } from './outbox.ts'

const DEFAULT_PERIOD_S = 0.1

/** A subscription as the client wrote it. options: unknown ones are kept, they show up in the server's own topics. */
export interface ClientSubscription {
  readonly subuid: number
  readonly topics: readonly string[]
  readonly options: JsonMap
}

/** Values of some topics, at a pace. Two that look the same as JSON are the same. */
export interface Demand extends Pace {
  readonly topics: readonly string[]
  readonly prefix: boolean
}

/** Whether a subscription is about a topic. */
export const covers = ({ topics, options }: ClientSubscription, name: string): boolean =>
  matches(topics, options.prefix === true, name)

/** What subscriptions ask for; those that are about topics only ask for no values. */
export const demandsOf = (subscriptions: Iterable<ClientSubscription>): readonly Demand[] =>
  [...subscriptions]
    .filter(({ options }) => options.topicsonly !== true)
    .map(({ topics, options }) => ({
      topics,
      prefix: options.prefix === true,
      periodMs: periodMsOf(options.periodic),
      all: options.all === true,
    }))

/** The pace at which a topic is wanted; undefined: it is not. Of several demands the strongest win. */
export const paceOf = (demands: readonly Demand[], name: string): Pace | undefined => {
  const wanted = demands.filter(({ topics, prefix }) => matches(topics, prefix, name))
  if (wanted.length === 0) return undefined
  return {
    periodMs: Math.min(...wanted.map(({ periodMs }) => periodMs)),
    all: wanted.some(({ all }) => all),
  }
}

const periodMsOf = (periodic: unknown): number =>
  1000 * (typeof periodic === 'number' && periodic >= 0 ? periodic : DEFAULT_PERIOD_S)
