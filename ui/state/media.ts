// Stored pictures, recordings and models: a list that is read page by page as somebody goes down it, kept up to date by
// events; and one item. What is about to be deleted is not shown, here or there.
import { createStore, type Readable } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import { useEffect, useMemo, useState } from 'react'
import { api, ask, type Documents, type Problem } from '../api/client.ts'
import { type FeedEvent, onEvent, onReset } from '../api/feed.ts'

/** A stored item. */
export type MediaItem = Documents['MediaItem']
/** What an item is. */
export type MediaKind = MediaItem['kind']

/** Which items are listed. */
export interface MediaFilter {
  readonly kind?: MediaKind | undefined
  readonly stream?: string | undefined
  /** Of this browser's calendar: `2026-01-31`. */
  readonly day?: string | undefined
}

/** What is known of a list. */
export interface MediaListing {
  /** The newest first; undefined: not read yet. */
  readonly items: readonly MediaItem[] | undefined
  readonly problem: Problem | undefined
  /** null: all of it is there. */
  readonly cursor: string | null
  readonly isReading: boolean
  /** The disk that they lie on; null: not known. */
  readonly disk: Documents['MediaDisk'] | null
}

const PAGE_ITEMS = 120
const MAX_PAGE_ITEMS = 500 // of the interface
const MAX_SINGLE_READS = 20 // when more have changed at once, the newest page is read instead
const GATHER_MS = 30 // events come in bunches

/** The first and the last moment of a day, the last not included; undefined: that is no day. */
export const spanOfDay = (day: string): readonly [fromMs: number, beforeMs: number] | undefined => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const fromMs = new Date(year, month - 1, date).getTime()
  const beforeMs = new Date(year, month - 1, date + 1).getTime()
  return Number.isFinite(fromMs) && Number.isFinite(beforeMs) ? [Math.max(0, fromMs), beforeMs] : undefined
}

/** The day of a moment in this browser's calendar. */
export const dayOf = (ms: number): string => {
  const date = new Date(ms)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const belongs = ({ kind, stream, day }: MediaFilter, item: MediaItem): boolean =>
  (kind === undefined || item.kind === kind) &&
  (stream === undefined || item.stream_id === stream) &&
  (day === undefined || dayOf(item.created_at_ms) === day)

const readPage = ({ kind, stream, day }: MediaFilter, cursor: string | null, limit: number) => {
  const [fromMs, beforeMs] = (day && spanOfDay(day)) || []
  const query = {
    limit,
    ...(kind && { kind }),
    ...(stream && { stream_id: stream }),
    ...(fromMs !== undefined && { created_from_ms: fromMs }),
    ...(beforeMs !== undefined && { created_before_ms: beforeMs }),
    ...(cursor !== null && { cursor }),
  }
  return ask(api.GET('/v1/media', { params: { query } }))
}

/** Reads one item. */
export const readItem = (name: string) => ask(api.GET('/v1/media/{name}/metadata', { params: { path: { name } } }))

/** The item that an event of this device is about; undefined: of none. */
const mediaOf = ({ kind, resource_ref }: FeedEvent): string | undefined =>
  kind === 'media_changed' && resource_ref.peer_id === undefined ? resource_ref.media_name : undefined

const isGone = ({ data }: FeedEvent): boolean => (data as { readonly deleted?: boolean } | undefined)?.deleted === true

/** A list as long as somebody looks at it. */
const createListing = (filter: MediaFilter) => {
  const store = createStore({
    context: { items: undefined, problem: undefined, cursor: null, isReading: false, disk: null } as MediaListing,
    on: { became: (known, { change }: { change: Partial<MediaListing> }) => ({ ...known, ...change }) },
  })
  const known = () => store.getSnapshot().context
  const become = (change: Partial<MediaListing>) => store.trigger.became({ change })
  const changed = new Set<string>()
  const gone = new Set<string>() // an answer that is on its way would bring it back
  let timer: ReturnType<typeof setTimeout> | undefined
  let reading = 0 // what an older one brings is thrown away

  const readMore = async (): Promise<void> => {
    const { items = [], cursor, isReading } = known()
    if (!isReading && cursor !== null) await read(items, cursor, items.length + PAGE_ITEMS)
  }
  /** From the newest on, and as far as somebody has gone down already. */
  const readAgain = (): Promise<void> => read([], null, Math.max(PAGE_ITEMS, known().items?.length ?? 0))
  /** Reads on until there are so many. */
  const read = async (before: readonly MediaItem[], after: string | null, count: number): Promise<void> => {
    reading += 1
    const mine = reading
    become({ isReading: true })
    let [items, cursor] = [before, after]
    do {
      const answer = await readPage(filter, cursor, Math.min(MAX_PAGE_ITEMS, count - items.length))
      if (mine !== reading) return
      if (!answer.ok) {
        become({ isReading: false, problem: answer.problem })
        return
      }
      const names = new Set(items.map(({ name }) => name))
      items = [...items, ...answer.value.items.filter(({ name }) => !names.has(name))]
      cursor = answer.value.next_cursor
      become({ disk: answer.value.disk })
    } while (cursor !== null && items.length < count)
    become({ items: items.filter(({ name }) => !gone.has(name)), cursor, isReading: false, problem: undefined })
  }
  const put = (item: MediaItem): void => {
    const { items } = known()
    if (!items || gone.has(item.name)) return
    if (items.some(({ name }) => name === item.name))
      become({ items: items.map((each) => (each.name === item.name ? item : each)) })
    else if (belongs(filter, item)) become({ items: [item, ...items] })
  }
  const drop = (name: string): void => {
    const { items } = known()
    if (items?.some((each) => each.name === name)) become({ items: items.filter((each) => each.name !== name) })
  }
  const readChanged = async (): Promise<void> => {
    const names = [...changed]
    changed.clear()
    if (known().isReading || names.length > MAX_SINGLE_READS) {
      await readAgain()
      return
    }
    for (const name of names) {
      const answer = await readItem(name)
      if (answer.ok) put(answer.value)
      else if (answer.status === 404) drop(name)
    }
    const answer = await ask(api.GET('/v1/media', { params: { query: { limit: 1 } } }))
    if (answer.ok) become({ disk: answer.value.disk })
  }
  const hear = (event: FeedEvent): void => {
    const name = mediaOf(event)
    if (name === undefined) return
    if (isGone(event)) {
      changed.delete(name)
      gone.add(name)
      drop(name)
    } else {
      changed.add(name)
      gone.delete(name) // another one of its name
    }
    clearTimeout(timer)
    timer = setTimeout(readChanged, GATHER_MS)
  }
  const follow = (): (() => void) => {
    void readAgain()
    const stops = [onEvent(hear), onReset(() => void readAgain())]
    return () => {
      for (const stop of stops) stop()
      clearTimeout(timer)
    }
  }
  return { store: store as Readable<{ readonly context: MediaListing }>, readMore, follow }
}

const hidden = createStore({
  context: { names: new Set<string>() as ReadonlySet<string> },
  on: {
    hid: ({ names }, { name }: { name: string }) => ({ names: new Set([...names, name]) }),
    showed: ({ names }, { name }: { name: string }) => ({ names: new Set([...names].filter((each) => each !== name)) }),
  },
})

/** Shows an item no more, or again, until the service says that it is gone. */
export const hideMedia = (name: string): void => hidden.trigger.hid({ name })
export const showMedia = (name: string): void => hidden.trigger.showed({ name })

/** The items of which a filter speaks. readMore: the next page. */
export const useMedia = ({ kind, stream, day }: MediaFilter): MediaListing & { readonly readMore: () => void } => {
  const list = useMemo(() => createListing({ kind, stream, day }), [kind, stream, day])
  useEffect(() => list.follow(), [list])
  const listing = useSelector(list.store, ({ context }) => context)
  const names = useSelector(hidden, ({ context }) => context.names)
  const items = names.size === 0 ? listing.items : listing.items?.filter(({ name }) => !names.has(name))
  return { ...listing, items, readMore: list.readMore }
}

/** One item, as it is now. `isGone`: it was there, and has been deleted. */
export const useMediaItem = (name: string) => {
  const [item, setItem] = useState<MediaItem>()
  const [problem, setProblem] = useState<Problem>()
  const [gone, setGone] = useState(false)
  useEffect(() => {
    let isWanted = true
    const read = async () => {
      const answer = await readItem(name)
      if (!isWanted) return
      if (answer.ok) setItem((now) => (now && now.revision > answer.value.revision ? now : answer.value))
      setProblem(answer.ok ? undefined : answer.problem)
    }
    void read()
    const stops = [
      onReset(() => void read()),
      onEvent((event) => {
        if (mediaOf(event) !== name) return
        if (isGone(event)) setGone(true)
        else void read()
      }),
    ]
    return () => {
      isWanted = false
      for (const stop of stops) stop()
    }
  }, [name])
  return { item, problem, isGone: gone }
}

/** The address of an item's content. */
export const contentUrl = (name: string): string => `/v1/media/${encodeURIComponent(name)}`

/** Whether a recording was made by a device, as JPEGs; whatever else is a video may be anything. */
export const isOfPictures = ({ kind, origin }: MediaItem): boolean =>
  kind === 'recording' && (origin === 'recording' || origin === 'rewind')

/** The address of a picture that stands for an item; undefined: there is none. */
export const thumbnailUrl = (item: MediaItem): string | undefined =>
  item.state === 'ready' && (item.kind === 'picture' || isOfPictures(item))
    ? `${contentUrl(item.name)}?as=picture`
    : undefined
