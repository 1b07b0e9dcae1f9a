// What the service has, as the page knows it: read once, kept up to date by events, read again where an event says no
// more than that something has changed.
import { createStore, type Readable } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import { useEffect } from 'react'
import type { Answer, Problem } from '../api/client.ts'
import { type FeedEvent, onEvent, onReset } from '../api/feed.ts'

/** undefined: nothing of it has changed. `stale`: it has to be read. Else what it is now. */
export type Heed<T> = undefined | 'stale' | ((known: T) => T)

/** How something is read and kept. */
export interface LiveParts<T> {
  readonly read: () => Promise<Answer<T>>
  readonly heed: (event: FeedEvent) => Heed<T>
}

/** What is known of it. */
export interface Known<T> {
  /** undefined: not read yet. */
  readonly value: T | undefined
  /** Why the last reading failed; undefined when it did not. */
  readonly problem: Problem | undefined
}

/** Something that the page keeps up to date. Components take it by `useKnown` and `useKnownOf`. */
export interface Live<T> {
  /** Where it is kept. */
  readonly store: Readable<{ readonly context: Known<T> }>
  /** What is known now. */
  readonly now: () => Known<T>
  /** Has it read, if nobody has wanted it before, and kept up to date from now on. */
  readonly want: () => void
  /** Reads it again. */
  readonly refresh: () => void
}

/** What is known of something; the component is drawn again when that changes. */
export const useKnown = <T>(live: Live<T>): Known<T> => useKnownOf(live, (known) => known)

/** A part of it: the component is drawn again only when that part is another one. */
export const useKnownOf = <T, Part>({ store, want }: Live<T>, part: (known: Known<T>) => Part): Part => {
  useEffect(want, [want])
  return useSelector(store, ({ context }) => part(context))
}

const GATHER_MS = 30 // events come in bunches

/** Makes one. Nothing is read until a component wants it; from then on it is kept up to date. */
export const createLive = <T>({ read, heed }: LiveParts<T>): Live<T> => {
  const store = createStore({
    context: { value: undefined, problem: undefined } as Known<T>,
    on: {
      wasRead: (_, { value }: { value: T }) => ({ value, problem: undefined }),
      failed: ({ value }, { problem }: { problem: Problem }) => ({ value, problem }),
      changed: (known, { change }: { change: (value: T) => T }) =>
        known.value === undefined ? known : { ...known, value: change(known.value) },
    },
  })
  let isWanted = false
  let isReading = false
  let isStale = false
  let isDue = false
  /** What was told since the reading began: its answer may be older, and would bring back what is gone. */
  let meanwhile: readonly ((known: T) => T)[] = []

  const readNow = async (): Promise<void> => {
    isDue = false
    if (isReading) {
      isStale = true
      return
    }
    isReading = true
    isStale = false
    meanwhile = []
    try {
      const answer = await read()
      if (answer.ok) store.trigger.wasRead({ value: meanwhile.reduce((value, change) => change(value), answer.value) })
      else store.trigger.failed({ problem: answer.problem })
    } finally {
      isReading = false
      if (isStale) refresh()
    }
  }
  const refresh = (): void => {
    if (!isWanted || isDue) return
    isDue = true
    setTimeout(readNow, GATHER_MS)
  }
  const want = (): void => {
    if (isWanted) return
    isWanted = true
    void readNow()
  }

  onReset(() => isWanted && void readNow())
  onEvent((event) => {
    if (!isWanted) return
    const change = heed(event)
    if (change === undefined) return
    if (change === 'stale') return refresh()
    store.trigger.changed({ change })
    if (!isReading) return
    meanwhile = [...meanwhile, change]
    isStale = true
  })

  return { store, now: () => store.getSnapshot().context, want, refresh }
}

/** A list in which an item is put, by its key; at the end when it is new. */
export const withItem = <Item>(items: readonly Item[], item: Item, keyOf: (item: Item) => string): readonly Item[] => {
  const key = keyOf(item)
  return items.some((each) => keyOf(each) === key)
    ? items.map((each) => (keyOf(each) === key ? item : each))
    : [...items, item]
}
