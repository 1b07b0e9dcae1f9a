// Devices that somebody has forgotten here, as long as that can be taken back or is on its way.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import { api, ask, type Problem } from '../api/client.ts'
import { withUndo } from './undo.ts'

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

/** What was forgotten here and is not shown any more. */
export const useForgottenPeers = (): Forgotten => useSelector(store, ({ context }) => context)

/** Forgets a device, unless that is taken back in time. */
export const forgetPeer = (id: string, name: string): void => {
  store.trigger.hidden({ id })
  const carryOut = async (isLeaving: boolean) => {
    const answer = await ask(api.DELETE('/v1/peers/{id}', { params: { path: { id } }, keepalive: isLeaving }))
    const problem = answer.ok || answer.problem.code === 'peer.not_found' ? undefined : answer.problem
    store.trigger.shown({ id, problem }) // the event that it is gone came before the answer
  }
  withUndo(
    `${name} is forgotten`,
    (isLeaving) => void carryOut(isLeaving),
    () => store.trigger.shown({ id }),
  )
}
