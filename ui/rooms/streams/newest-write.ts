// A control that is dragged: what it is moved to is sent at once, one write at a time, and of what comes meanwhile the
// newest.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Answer } from '../../api/client.ts'

/** A control of which a value is on its way. */
export interface NewestWrite {
  /** What was asked for last; undefined: nothing is on its way. */
  readonly wanted: number | undefined
  /** Asks for a value. */
  readonly set: (value: number) => void
}

/** send: writes a value and waits until it is in force. */
export const useNewestWrite = (send: (value: number) => Promise<Answer<unknown>>): NewestWrite => {
  const [wanted, setWanted] = useState<number>()
  const next = useRef<number>(undefined)
  const isSending = useRef(false)
  const sender = useRef(send)
  useEffect(() => {
    sender.current = send
  }, [send])
  const set = useCallback(async (value: number) => {
    next.current = value
    setWanted(value)
    if (isSending.current) return
    isSending.current = true
    while (next.current !== undefined) {
      const mine = next.current
      next.current = undefined
      await sender.current(mine)
    }
    isSending.current = false
    setWanted(undefined)
  }, [])
  return { wanted, set }
}
