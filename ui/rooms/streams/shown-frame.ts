// What was found in the frame that stands on the screen, as often as the picture tells of it.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import type { FrameFacts } from '../../pictures/messages.ts'

/** Facts of the frames that one picture shows. */
export interface Shown {
  /** For `onFrame` of the picture. */
  readonly take: (facts: FrameFacts) => void
  readonly store: ReturnType<typeof createStoreOf>
}

const createStoreOf = () =>
  createStore({
    context: { facts: undefined as FrameFacts | undefined },
    on: { shown: (_, { facts }: { facts: FrameFacts }) => ({ facts }) },
  })

/** For one picture. */
export const createShown = (): Shown => {
  const store = createStoreOf()
  return { store, take: (facts) => store.trigger.shown({ facts }) }
}

/** Those of the newest frame; undefined before the first. */
export const useShown = ({ store }: Shown): FrameFacts | undefined => useSelector(store, ({ context }) => context.facts)
