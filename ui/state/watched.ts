// Something of one stream, kept up to date as long as a component shows it.
import { useCallback, useEffect, useRef, useState } from 'react'
import { onEvent, onReset } from '../api/feed.ts'
import type { Known, LiveParts } from './live.ts'

const GATHER_MS = 30 // events come in bunches

/** What is known of it. */
export interface Watched<T> extends Known<T> {
  /** Reads it again. */
  readonly refresh: () => void
}

/** parts: read again when they are others, so they have to be kept (`useMemo`); undefined: nothing is read. */
export const useWatched = <T>(parts: LiveParts<T> | undefined): Watched<T> => {
  const [known, setKnown] = useState<Known<T>>({ value: undefined, problem: undefined })
  const again = useRef(() => {})
  useEffect(() => {
    if (!parts) return
    let isOver = false
    let isReading = false
    let isStale = false
    /** What was told since the reading began: its answer may be older. */
    let meanwhile: readonly ((known: T) => T)[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const readNow = async () => {
      timer = undefined
      isReading = true
      isStale = false
      meanwhile = []
      const answer = await parts.read()
      isReading = false
      if (isOver) return
      const told = meanwhile
      setKnown(({ value }) =>
        answer.ok
          ? { value: told.reduce((known, change) => change(known), answer.value), problem: undefined }
          : { value, problem: answer.problem },
      )
      if (isStale) refresh()
    }
    const refresh = () => {
      if (isReading) isStale = true
      else timer ??= setTimeout(readNow, GATHER_MS)
    }
    again.current = refresh
    void readNow()
    const stops = [
      onReset(refresh),
      onEvent((event) => {
        const change = parts.heed(event)
        if (change === undefined) return
        if (change === 'stale') return refresh()
        if (isReading) {
          meanwhile = [...meanwhile, change]
          isStale = true
        }
        setKnown((now) => (now.value === undefined ? now : { ...now, value: change(now.value) }))
      }),
    ]
    return () => {
      isOver = true
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [parts])
  const refresh = useCallback(() => again.current(), [])
  return { ...known, refresh }
}
