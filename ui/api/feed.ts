// The event feed of the service, kept open as long as the page is. What was missed while it was cut is told when it is
// there again; where it cannot be, `reset` says that everything is to be read again.
import { createStore } from '@xstate/store'
import { socketUrl } from './client.ts'
import { endQuietly } from './end-quietly.ts'

/** A fact, as the service tells it. */
export interface FeedEvent {
  readonly kind: string
  readonly seq: number
  readonly timestamp_ms: number
  readonly revision: number | null
  readonly resource_ref: Readonly<Record<string, string>>
  readonly data?: unknown
  /** The document that it is about, as reading it would give it; left out where it is long, and of what is gone. */
  readonly resource?: unknown
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5000
const SILENT_LIMIT_MS = 16_000 // in which three beats come, or on a slow network the first answer

/** Whether the page hears what happens. since: since when it is as it is, of this browser's clock. */
export const link = createStore({
  context: { state: 'connecting' as 'connecting' | 'live' | 'away', sinceMs: Date.now() },
  on: {
    opened: () => ({ state: 'live' as const, sinceMs: Date.now() }),
    closed: (now) => (now.state === 'away' ? now : { state: 'away' as const, sinceMs: Date.now() }),
  },
})

type Listener = (event: FeedEvent) => void
const listeners = new Set<Listener>()
const resets = new Set<() => void>()
let position: { readonly epoch: string; readonly seq: number } | undefined
let waitMs = FIRST_WAIT_MS

/** Hears every event from now on; returns what ends that. */
export const onEvent = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Called whenever everything that is shown has to be read again, the first time as well. */
export const onReset = (listener: () => void): (() => void) => {
  resets.add(listener)
  return () => resets.delete(listener)
}

/** Waits for an event; undefined when none came in time. */
export const nextEvent = (isWanted: (event: FeedEvent) => boolean, limitMs: number): Promise<FeedEvent | undefined> =>
  new Promise((resolve) => {
    const end = (event?: FeedEvent) => {
      clearTimeout(timer)
      stop()
      resolve(event)
    }
    const timer = setTimeout(end, limitMs)
    const stop = onEvent((event) => isWanted(event) && end(event))
  })

const failures = new Set<() => void>()

/** Called whenever the feed could not be opened. */
export const onFailedDial = (listener: () => void): (() => void) => {
  failures.add(listener)
  return () => failures.delete(listener)
}

const returns = new Set<() => void>()

/**
 * Called when the device is heard again that had fallen silent: it may have lost its power, and then every other
 * connection to it is gone as well, and nobody has closed them. Returns what ends that.
 */
export const onReturn = (listener: () => void): (() => void) => {
  returns.add(listener)
  return () => returns.delete(listener)
}

interface Greeting {
  readonly kind: 'hello' | 'reset' | 'beat'
  readonly epoch: string
  readonly seq: number
}

const hear = (text: string): void => {
  const message = JSON.parse(text) as Greeting | FeedEvent
  if (message.kind === 'hello' || message.kind === 'beat') return // what was missed comes next, or a reset
  if (message.kind === 'reset') {
    const { epoch, seq } = message as Greeting
    position = { epoch, seq }
    for (const listener of resets) listener()
    return
  }
  const event = message as FeedEvent & { readonly epoch: string }
  if (event.seq !== undefined && event.epoch !== undefined) position = { epoch: event.epoch, seq: event.seq }
  for (const listener of listeners) listener(event)
}

let socket: WebSocket | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let silence: ReturnType<typeof setTimeout> | undefined
let wasSilent = false

const query = (): string =>
  `?beats=true${position ? `&since=${position.seq}&epoch=${encodeURIComponent(position.epoch)}` : ''}`

/** A device that loses its power closes nothing: who hears nothing of it takes the connection for ended. */
const watchSilence = (mine: WebSocket): void => {
  clearTimeout(silence)
  silence = setTimeout(() => {
    wasSilent = true
    // A browser dials one socket at a time: the next would wait for this one, which asks ever more seldom.
    const isUnanswered = mine.readyState === WebSocket.CONNECTING
    endOf(mine, false)
    if (isUnanswered) mine.close()
  }, SILENT_LIMIT_MS)
}

/** Opens the feed, and opens it again whenever it ends. */
export const connectFeed = (): void => {
  clearTimeout(timer)
  if (socket) endQuietly(socket)
  const mine = new WebSocket(socketUrl(`/v1/events${query()}`))
  socket = mine
  let wasOpen = false
  watchSilence(mine)
  mine.onopen = () => {
    wasOpen = true
    waitMs = FIRST_WAIT_MS
    link.trigger.opened()
    if (!wasSilent) return
    wasSilent = false
    for (const listener of returns) listener()
  }
  mine.onmessage = ({ data }) => {
    watchSilence(mine)
    hear(data as string)
  }
  mine.onclose = () => endOf(mine, !wasOpen)
}

/** It has ended, or is taken for that: it is opened again in a moment. */
const endOf = (mine: WebSocket, hasFailed: boolean): void => {
  if (socket !== mine) return
  socket = undefined
  endQuietly(mine)
  clearTimeout(silence)
  link.trigger.closed()
  timer = setTimeout(connectFeed, waitMs)
  waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
  if (hasFailed) for (const listener of failures) listener()
}

addEventListener('online', () => link.getSnapshot().context.state === 'away' && connectFeed())
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && link.getSnapshot().context.state === 'away') connectFeed()
})
