// What has broken in the page itself, so that it can be told: nothing on it fails in silence.
import { createStore } from '@xstate/store'

/** What broke last; undefined: nothing. */
export const pageFault = createStore({
  context: { message: undefined as string | undefined },
  on: { broke: (_, { message }: { message: string }) => ({ message }) },
})

/** Tells that a part of the page has failed. */
export const complain = (error: unknown): void => {
  console.error(error)
  pageFault.trigger.broke({ message: error instanceof Error ? error.message : String(error) })
}

// A browser says so when sizes that changed while it told of sizes are told of with the next picture: nothing is lost.
const HARMLESS = /^ResizeObserver loop/

/** Tells of everything that is caught nowhere. */
export const watchForFaults = (): void => {
  addEventListener('error', ({ error, message }) => {
    if (error || !HARMLESS.test(message)) complain(error ?? message)
  })
  addEventListener('unhandledrejection', ({ reason }) => complain(reason))
}
