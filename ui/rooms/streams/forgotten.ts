// Streams that somebody has deleted here, as long as that can be taken back or is on its way.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import { api, ask, type Problem } from '../../api/client.ts'
import { withUndo } from '../../state/undo.ts'

interface Forgotten {
  /** Not shown. */
  readonly ids: readonly string[]
  /** Why the last one is still there. */
  readonly problem: Problem | undefined
}

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

/** What was deleted here and is not shown any more. */
export const useForgotten = (): Forgotten => useSelector(store, ({ context }) => context)

const GONE = ['stream.not_found']

/** Deletes a stream, unless that is taken back in time. */
export const forgetStream = (id: string, alias: string): void => {
  store.trigger.hidden({ id })
  const carryOut = async (isLeaving: boolean) => {
    const answer = await ask(api.DELETE('/v1/streams/{id}', { params: { path: { id } }, keepalive: isLeaving }))
    const problem = answer.ok || GONE.includes(answer.problem.code) ? undefined : answer.problem
    store.trigger.shown({ id, problem }) // the event that it is gone came before the answer
  }
  withUndo(
    `${alias} is deleted`,
    (isLeaving) => void carryOut(isLeaving),
    () => store.trigger.shown({ id }),
  )
}
