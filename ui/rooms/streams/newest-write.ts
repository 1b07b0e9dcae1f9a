// A control that is dragged: what it is moved to is sent at once, one write at a time, and of what comes meanwhile the
// newest.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Answer } from '../../api/client.ts'
import { type FeedEvent, onEvent } from '../../api/feed.ts'

const ECHO_LIMIT_MS = 5000 // an event that has not come by then does not come: the feed was cut

/** What belongs to the control. */
export interface NewestWriteOptions {
  /** Its value as the device has said it last. */
  readonly known: number
  /** Writes a value and waits until it is in force. */
  readonly send: (value: number) => Promise<Answer<unknown>>
  /** The value that an event says of this control; undefined: the event is of something else. */
  readonly valueIn: (event: FeedEvent) => number | undefined
}

/** A control of which a value is on its way. */
export interface NewestWrite {
  /** What was asked for last; undefined: nothing is on its way, so what the device says is the newest. */
  readonly wanted: number | undefined
  /** Asks for a value. */
  readonly set: (value: number) => void
}

/**
 * Each write is told by the feed as well, often after its answer: until the newest has been told, what is told is of an
 * older one and must not set the control back.
 */
export const useNewestWrite = (options: NewestWriteOptions): NewestWrite => {
  const { known } = options
  const [wanted, setWanted] = useState<number>()
  const [isTold, setTold] = useState(false)
  const next = useRef<number>(undefined)
  const isSending = useRef(false)
  const untold = useRef<number[]>([]) // values that were sent and that no event has told yet, the newest last
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })

  const end = useCallback(() => {
    clearTimeout(timer.current)
    untold.current = []
    setWanted(undefined)
  }, [])
  useEffect(() => {
    const stop = onEvent((event) => {
      const at = untold.current.indexOf(latest.current.valueIn(event) ?? Number.NaN)
      if (at < 0) return
      untold.current.splice(0, at + 1)
      if (!isSending.current && untold.current.length === 0) setTold(true)
    })
    return () => {
      stop()
      clearTimeout(timer.current)
    }
  }, [])
  useEffect(() => {
    // what was asked for since this was drawn is on its way
    if (isTold && known === wanted && !isSending.current) end()
  }, [isTold, known, wanted, end])

  const set = useCallback(
    async (value: number) => {
      clearTimeout(timer.current)
      next.current = value
      setWanted(value)
      setTold(false)
      if (isSending.current) return
      isSending.current = true
      let isInForce = true
      while (next.current !== undefined) {
        const mine = next.current
        next.current = undefined
        untold.current.push(mine)
        isInForce = (await latest.current.send(mine)).ok
      }
      isSending.current = false
      if (!isInForce) return end()
      timer.current = setTimeout(end, ECHO_LIMIT_MS)
      if (untold.current.length === 0) setTold(true)
    },
    [end],
  )
  return { wanted, set }
}
