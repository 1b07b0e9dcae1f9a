// What a server says of the subscribers of a topic, in the topic `$sub$<name>` about it.
import { unpack } from 'msgpackr'
import type { Nt4SubscribeOptions, Nt4Value } from './port.ts'

/** The name of the server's own topic about the subscribers of a topic. */
export const subscribersOf = (topic: string): string => `$sub$${topic}`

/** Whether anybody of them wants values. What cannot be read says nothing against it. */
export const hasReaders = (value: Nt4Value): boolean => {
  const subscribers = listIn(value)
  return subscribers?.some((one) => (one as Subscriber | null)?.options?.topicsonly !== true) ?? true
}

interface Subscriber {
  readonly options?: Nt4SubscribeOptions
}

const listIn = (value: Nt4Value): readonly unknown[] | undefined => {
  try {
    const list: unknown = value instanceof Uint8Array ? unpack(value) : undefined
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}
