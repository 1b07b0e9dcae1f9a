// Deleting an item cannot be taken back on the device, so the page waits some seconds before it asks for it.
import { createStore } from '@xstate/store'
import { api, ask, type Problem } from '../../api/client.ts'
import { hideMedia, showMedia } from '../../state/media.ts'
import { withUndo } from '../../state/undo.ts'

/** The last deletion that was refused. */
export const refusedRemoval = createStore({
  context: { refused: undefined as { readonly name: string; readonly problem: Problem } | undefined },
  on: {
    refused: (_, { name, problem }: { name: string; problem: Problem }) => ({ refused: { name, problem } }),
    forgot: () => ({ refused: undefined }),
  },
})

/** Deletes an item, after some seconds in which that can be undone. */
export const removeMedia = (name: string): void => {
  hideMedia(name)
  const carryOut = async (isLeaving: boolean) => {
    const answer = await ask(
      api.DELETE('/v1/media/{name}', { params: { path: { name } }, body: {}, keepalive: isLeaving }),
    )
    if (answer.ok || answer.status === 404) return
    showMedia(name)
    refusedRemoval.trigger.refused({ name, problem: answer.problem })
  }
  withUndo(
    `Deleted ${name}`,
    (isLeaving) => void carryOut(isLeaving),
    () => showMedia(name),
  )
}
