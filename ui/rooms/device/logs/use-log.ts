// The lines that are shown of a log: followed as they come, or stood still at some place. However many there are, a
// bounded number of them is kept.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api, ask, type Problem } from '../../../api/client.ts'
import { openLine } from '../../../api/line.ts'
import type { LogLevel, LogLine, LogSourceName } from '../../../state/logs.ts'

/** Which lines. */
export interface LogView {
  readonly source: LogSourceName
  readonly level?: LogLevel
  readonly boot?: number
  readonly text?: string
  /** Lines around this time of the device, ms; undefined: those that come. */
  readonly aroundMs?: number
}

/** As many as a browser draws without effort. */
const MAX_LINES = 800
const BACKLOG = 300
const AROUND_MS = 60_000

interface Shown {
  readonly lines: readonly LogLine[]
  /** Where what came before is asked for; undefined: there is nothing. */
  readonly older: string | undefined
  readonly newer: string | undefined
  /** Lines that came too fast for this page. */
  readonly lost: number
  readonly absent: string | null
  readonly problem: Problem | undefined
  readonly isRead: boolean
}

const NOTHING: Shown = {
  lines: [],
  older: undefined,
  newer: undefined,
  lost: 0,
  absent: null,
  problem: undefined,
  isRead: false,
}

type Message =
  | { readonly kind: 'begin'; readonly absent: string | null }
  | { readonly kind: 'lines'; readonly lines: readonly LogLine[] }
  | { readonly kind: 'lost'; readonly count: number }
  | { readonly kind: 'ended'; readonly detail: string }

const hear = (shown: Shown, message: Message): Shown => {
  switch (message.kind) {
    case 'begin':
      return { ...NOTHING, absent: message.absent, isRead: true }
    case 'lines':
      return withNewer(shown, message.lines)
    case 'lost':
      return { ...shown, lost: shown.lost + message.count }
    case 'ended':
      return { ...shown, absent: message.detail }
  }
}

const withNewer = (shown: Shown, lines: readonly LogLine[]): Shown => {
  const all = [...shown.lines, ...lines].slice(-MAX_LINES)
  return { ...shown, lines: all, older: all[0] && `before:${all[0].cursor}` }
}

const queryOf = ({ source, level, boot, text }: LogView) => ({
  source,
  ...(level !== undefined && { level }),
  ...(boot !== undefined && { boot }),
  ...(text !== undefined && { text }),
})

/** Stands still while it `isHeld`: what comes meanwhile is counted, and shown when it goes on. */
export const useLog = (view: LogView, isHeld: boolean) => {
  const [now, setNow] = useState(NOTHING)
  const [held, setHeld] = useState<Shown>()
  const key = JSON.stringify(view)

  useEffect(() => {
    const wanted = JSON.parse(key) as LogView
    setNow(NOTHING)
    setHeld(undefined)
    if (wanted.aroundMs !== undefined) {
      let isGone = false
      const query = { ...queryOf(wanted), since: Math.max(0, Math.round(wanted.aroundMs - AROUND_MS)), limit: BACKLOG }
      void ask(api.GET('/v1/device/logs', { params: { query } })).then((answer) => {
        if (isGone) return
        if (!answer.ok) setNow({ ...NOTHING, problem: answer.problem, isRead: true })
        else {
          const { lines, older_cursor, newer_cursor, absent } = answer.value
          setNow({
            ...NOTHING,
            lines,
            absent,
            older: older_cursor ?? undefined,
            newer: newer_cursor ?? undefined,
            isRead: true,
          })
        }
      })
      return () => {
        isGone = true
      }
    }
    const parts = Object.entries({ ...queryOf(wanted), backlog: BACKLOG }).map(([name, value]) => [name, String(value)])
    const line = openLine(`/v1/device/logs/follow?${new URLSearchParams(parts)}`, (data) =>
      setNow((shown) => hear(shown, JSON.parse(data as string) as Message)),
    )
    return line.close
  }, [key])

  const newest = useRef(now)
  newest.current = now
  useEffect(() => setHeld(isHeld ? newest.current : undefined), [isHeld])

  const shown = held ?? now
  const change = useCallback(
    (make: (before: Shown) => Shown) => (isHeld ? setHeld((before) => before && make(before)) : setNow(make)),
    [isHeld],
  )

  const { older, newer } = useMemo(() => {
    const page = async (
      cursor: string,
      join: (before: Shown, lines: readonly LogLine[], end: string | null) => Shown,
    ) => {
      const query = { ...queryOf(JSON.parse(key) as LogView), cursor, limit: BACKLOG }
      const answer = await ask(api.GET('/v1/device/logs', { params: { query } }))
      if (!answer.ok) return change((before) => ({ ...before, problem: answer.problem }))
      const { lines, older_cursor, newer_cursor } = answer.value
      const end = cursor.startsWith('before:') ? older_cursor : newer_cursor
      change((before) => join(before, lines, end))
    }
    return {
      older: (cursor: string) =>
        page(cursor, (before, lines, end) => ({
          ...before,
          lines: [...lines, ...before.lines].slice(0, MAX_LINES),
          older: end ?? undefined,
        })),
      newer: (cursor: string) =>
        page(cursor, (before, lines, end) => ({ ...withNewer(before, lines), newer: end ?? undefined })),
    }
  }, [key, change])

  const last = held?.lines.at(-1)
  const waiting = held && last ? now.lines.length - 1 - now.lines.findIndex(({ cursor }) => cursor === last.cursor) : 0
  return { shown, waiting, showOlder: older, showNewer: newer }
}
