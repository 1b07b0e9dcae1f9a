// A change that somebody asks for on this page: on its way until the service says that it is in force, and with whom.
import { useCallback, useRef, useState } from 'react'
import type { Answer, Problem } from '../api/client.ts'
import { nextEvent } from '../api/feed.ts'

/** How far a change is. */
export type WriteState =
  | { readonly state: 'idle' }
  | { readonly state: 'pending' }
  | {
      readonly state: 'applied'
      /** That the device answered which has the thing; null where it has none. */
      readonly revision: number | null
      /** The device, when it is another one. */
      readonly target: string | undefined
    }
  | {
      /** Somebody else has changed the thing meanwhile. */
      readonly state: 'conflict'
      readonly problem: Problem
    }
  | { readonly state: 'refused'; readonly problem: Problem }

const IDLE: WriteState = { state: 'idle' }
const APPLIED_FOR_MS = 3000
const EVENT_LIMIT_MS = 2000 // then what the answer said has to do

/** What belongs to a change. */
export interface WriteOptions {
  /** The device that has the thing, when it is not this one: what is applied says so. */
  readonly target?: string | undefined
  /** Whether an event is that of this thing: the change is pending until the event with its revision has come. */
  readonly heeds?: (ref: Readonly<Record<string, string>>) => boolean
}

/**
 * For a component with a control. write: sends it, and returns what came of it. clear: forgets a refusal.
 */
export const useWrite = ({ target, heeds }: WriteOptions = {}) => {
  const [state, setState] = useState<WriteState>(IDLE)
  const last = useRef(0)

  const write = useCallback(
    async <T>(send: () => Promise<Answer<T>>): Promise<Answer<T>> => {
      last.current += 1
      const mine = last.current
      const show = (now: WriteState) => {
        if (mine === last.current) setState(now)
      }
      show({ state: 'pending' })
      let wanted = Number.POSITIVE_INFINITY // not known before the answer, which the event may overtake
      let newest = -1
      const seen = heeds
        ? nextEvent(({ resource_ref, revision }) => {
            if (revision === null || !heeds(resource_ref)) return false
            newest = Math.max(newest, revision)
            return newest >= wanted
          }, EVENT_LIMIT_MS)
        : undefined
      const answer = await send()
      if (!answer.ok) {
        const isStale = answer.problem.code === 'revision.stale'
        show({ state: isStale ? 'conflict' : 'refused', problem: answer.problem })
        return answer
      }
      wanted = answer.revision ?? -1
      if (answer.revision !== null && newest < answer.revision) await seen
      const applied: WriteState = { state: 'applied', revision: answer.revision, target }
      show(applied)
      setTimeout(() => setState((now) => (now === applied ? IDLE : now)), APPLIED_FOR_MS)
      return answer
    },
    [target, heeds],
  )
  const clear = useCallback(() => setState(IDLE), [])
  return { state, write, clear }
}
