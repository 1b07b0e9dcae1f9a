// The server's own topics: who is there, and who publishes and subscribes to what.
import type { Client } from './client.ts'
import { type ClientSubscription, covers } from './demand.ts'

export const CLIENTS = '$clients'
export const SERVER_PUBLISHES = '$serverpub'
export const SERVER_SUBSCRIBES = '$serversub'
export const clientPublishes = (client: string): string => `$clientpub$${client}`
export const clientSubscribes = (client: string): string => `$clientsub$${client}`
export const publishersOf = (topic: string): string => `$pub$${topic}`

/** The value of `$clients`. */
export const clients = (all: Iterable<Client>): readonly unknown[] =>
  [...all].map(({ name, address, version }) => ({ id: name, conn: address, ver: version }))

/** The value of `$clientpub$<client>`. */
export const publicationsOf = ({ publications }: Client): readonly unknown[] =>
  [...publications.values()].map(({ pubuid, topic }) => ({ uid: pubuid, topic: topic.name }))

/** The value of `$clientsub$<client>`. */
export const subscriptionsOf = ({ subscriptions }: Client): readonly unknown[] =>
  [...subscriptions.values()].map(({ subuid, topics, options }) => ({ uid: subuid, topics, options }))

/** The value of `$pub$<topic>`. */
export const publishers = (all: Iterable<Client>, topic: string): readonly unknown[] =>
  [...all].flatMap(({ name, publications }) =>
    [...publications.values()]
      .filter((publication) => publication.topic.name === topic)
      .map(({ pubuid }) => ({ client: name, pubuid })),
  )

/** The value of `$sub$<topic>`. */
export const subscribers = (all: Iterable<Client>, topic: string): readonly unknown[] =>
  [...all].flatMap(({ name, subscriptions }) =>
    [...subscriptions.values()]
      .filter((subscription: ClientSubscription) => covers(subscription, topic))
      .map(({ subuid, options }) => ({ client: name, subuid, options })),
  )
