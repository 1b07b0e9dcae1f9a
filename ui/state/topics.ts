// The topics of the NT4 server with which this device has a link, with their values: heard on a socket of their own for
// as long as somebody looks at them.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import { useEffect } from 'react'
import { type Problem, socketUrl } from '../api/client.ts'
import { endQuietly } from '../api/end-quietly.ts'
import { onReturn } from '../api/feed.ts'

/** What is in a topic, as the socket tells it. */
interface ToldValue {
  readonly name: string
  /** null: nobody has written one, or it is bytes that are not taken apart. */
  readonly value: unknown
  /** How many elements an array has, or bytes what is not taken apart; null: it is neither. */
  readonly count: number | null
  /** Whether there is more of it than is told. */
  readonly is_cut: boolean
  /** Why bytes are not shown; null: they are, or it is none. */
  readonly not_decoded: string | null
  /** How long ago it was written; null: nobody has written one. */
  readonly age_ms: number | null
}

/** A topic, as the socket tells it. */
interface ToldTopic extends ToldValue {
  readonly type: string
  readonly properties: Readonly<Record<string, unknown>>
  /** What this device has to do with it; null: nothing. */
  readonly role: 'published' | 'read' | null
}

/** A topic with its newest value. */
export type LiveTopic = Omit<ToldTopic, 'age_ms'> & {
  /** When the value was written, by the clock of this browser; null: nobody has written one. */
  readonly writtenAtMs: number | null
}

interface Known {
  readonly socket: 'connecting' | 'live' | 'away'
  /** `host:port`; null: there is no link to one now, and what is known is old. */
  readonly server: string | null
  readonly fault: Problem | null
  readonly all: ReadonlyMap<string, LiveTopic>
  /** In their order; another one when a topic has come or gone. */
  readonly names: readonly string[]
  /** Topics that are not told for want of room. */
  readonly leftOut: number
}

const NOTHING: Known = { socket: 'connecting', server: null, fault: null, all: new Map(), names: [], leftOut: 0 }

const writtenAt = (age_ms: number | null): number | null => (age_ms === null ? null : Date.now() - age_ms)

const withTopics = (known: Known, topics: readonly ToldTopic[], leftOut: number): Known => {
  const all = new Map(known.all)
  for (const { age_ms, ...topic } of topics) all.set(topic.name, { ...topic, writtenAtMs: writtenAt(age_ms) })
  return { ...known, all, names: [...all.keys()].toSorted(), leftOut }
}

const withValues = (known: Known, values: readonly ToldValue[]): Known => {
  const all = new Map(known.all)
  for (const { age_ms, ...value } of values) {
    const topic = all.get(value.name)
    if (topic) all.set(value.name, { ...topic, ...value, writtenAtMs: writtenAt(age_ms) })
  }
  return { ...known, all }
}

const without = (known: Known, names: readonly string[]): Known => {
  const all = new Map(known.all)
  for (const name of names) all.delete(name)
  return { ...known, all, names: [...all.keys()].toSorted() }
}

type Message =
  | { readonly kind: 'server'; readonly server: string | null; readonly fault: Problem | null }
  | { readonly kind: 'topics'; readonly topics: readonly ToldTopic[]; readonly left_out: number }
  | { readonly kind: 'values'; readonly values: readonly ToldValue[] }
  | { readonly kind: 'gone'; readonly names: readonly string[] }

const hear = (known: Known, message: Message): Known => {
  switch (message.kind) {
    case 'server': {
      const { server, fault } = message
      return server === null ? { ...known, server, fault } : { ...NOTHING, socket: 'live', server, fault }
    }
    case 'topics':
      return withTopics(known, message.topics, message.left_out)
    case 'values':
      return withValues(known, message.values)
    case 'gone':
      return without(known, message.names)
  }
}

const store = createStore({
  context: NOTHING,
  on: {
    began: () => NOTHING,
    opened: (known) => ({ ...known, socket: 'live' as const }),
    closed: (known) => ({ ...known, socket: 'away' as const, server: null }),
    heard: (known, { message }: { message: Message }) => hear(known, message),
  },
})

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 5000

let lookers = 0
let socket: WebSocket | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let waitMs = FIRST_WAIT_MS

const connect = (): void => {
  const mine = new WebSocket(socketUrl('/v1/nt4/topics'))
  socket = mine
  mine.onopen = () => {
    waitMs = FIRST_WAIT_MS
    store.trigger.opened()
  }
  mine.onmessage = ({ data }) => {
    store.trigger.heard({ message: JSON.parse(data as string) as Message })
  }
  mine.onclose = () => {
    store.trigger.closed()
    timer = setTimeout(connect, waitMs)
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
  }
}

const hangUp = (): void => {
  clearTimeout(timer)
  if (socket) endQuietly(socket)
  socket = undefined
}

onReturn(() => {
  if (lookers === 0) return
  hangUp()
  store.trigger.closed()
  waitMs = FIRST_WAIT_MS
  connect()
})

const look = (): (() => void) => {
  lookers += 1
  if (lookers === 1) {
    store.trigger.began()
    connect()
  }
  return () => {
    lookers -= 1
    if (lookers === 0) hangUp()
  }
}

/** Has the topics told for as long as a component is there. */
export const useLookAtTopics = (): void => useEffect(look, [])

/** A part of what is known: the component is drawn again only when that part is another one. */
export const useTopics = <Part>(part: (known: Known) => Part): Part =>
  useSelector(store, ({ context }) => part(context))

/** One topic; undefined: it is not there. */
export const useTopic = (name: string): LiveTopic | undefined => useTopics(({ all }) => all.get(name))
