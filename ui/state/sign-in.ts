// Whether the token of the device is wanted: the service has refused something without it, or somebody asked.
import { createStore } from '@xstate/store'
import { api, ask, whenTokenIsWanted } from '../api/client.ts'
import { session } from './device.ts'

/** Whether the form is open. */
export const tokenForm = createStore({
  context: { isWanted: false },
  on: {
    asked: () => ({ isWanted: true }),
    done: () => ({ isWanted: false }),
  },
})

whenTokenIsWanted(() => {
  session.refresh()
  tokenForm.trigger.asked()
})

/** Opens the form. */
export const askForToken = (): void => tokenForm.trigger.asked()

/** Forgets on this browser that somebody has signed in. */
export const signOut = async (): Promise<void> => {
  await ask(api.DELETE('/v1/session'))
  session.refresh()
}
