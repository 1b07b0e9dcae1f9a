// What somebody has deleted on this page, as long as that can be taken back or is on its way: it is not shown.
import { createStore, type Readable } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import type { Answer, Problem } from '../api/client.ts'
import { withUndo } from './undo.ts'

/** The things of one kind that were deleted. */
export interface Forgotten {
  /** Not shown. */
  readonly ids: readonly string[]
  /** Why the last one is still there. */
  readonly problem: Problem | undefined
}

/** How things of one kind are deleted. */
interface ForgettingParts {
  /** Asks the service. isLeaving: the page is being left, where only a request with `keepalive` gets through. */
  readonly remove: (id: string, isLeaving: boolean) => Promise<Answer<unknown>>
  /** The code of one that is gone already, which is no reason to complain. */
  readonly goneCode: string
}

/** Things of one kind that can be deleted with some seconds to take it back. */
export interface Forgetting {
  readonly store: Readable<{ readonly context: Forgotten }>
  /** Deletes one, unless that is taken back in time. said: what stands beside Undo. */
  readonly forget: (id: string, said: string) => void
}

/** Makes one for a kind of things. */
export const createForgetting = ({ remove, goneCode }: ForgettingParts): Forgetting => {
  const store = createStore({
    context: { ids: [], problem: undefined } as Forgotten,
    on: {
      hidden: ({ ids }, { id }: { id: string }) => ({ ids: [...ids, id], problem: undefined }),
      shown: ({ ids }, { id, problem }: { id: string; problem?: Problem | undefined }) => ({
        ids: ids.filter((each) => each !== id),
        problem,
      }),
    },
  })
  const carryOut = async (id: string, isLeaving: boolean): Promise<void> => {
    const answer = await remove(id, isLeaving)
    const problem = answer.ok || answer.problem.code === goneCode ? undefined : answer.problem
    store.trigger.shown({ id, problem }) // the event that it is gone came before the answer
  }
  return {
    store,
    forget: (id, said) => {
      store.trigger.hidden({ id })
      withUndo(
        said,
        (isLeaving) => void carryOut(id, isLeaving),
        () => store.trigger.shown({ id }),
      )
    },
  }
}

/** What of a kind was deleted here and is not shown any more. */
export const useForgotten = ({ store }: Forgetting): Forgotten => useSelector(store, ({ context }) => context)
