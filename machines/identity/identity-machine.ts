// A device that has no identity it could keep: it looks again until it has one, and then there is nothing more to do.
import { assign, setup } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, faultOf } from '../errors/fault.ts'

/** look: reads it, or stores one. */
const identityEffects = { look: needed<void>('look') }
export type IdentityEffects = typeof identityEffects

const RETRY_EVERY_MS = 15_000 // as for everything that failed

export const identityMachine = setup({
  types: { context: {} as { readonly fault: Fault }, input: {} as { readonly fault: Fault } },
  actors: identityEffects,
  delays: { retry: RETRY_EVERY_MS },
}).createMachine({
  id: 'identity',
  context: ({ input: { fault } }) => ({ fault }),
  initial: 'missing',
  states: {
    missing: { after: { retry: 'looking' } },
    looking: {
      invoke: {
        id: 'look',
        src: 'look',
        onDone: 'kept',
        onError: { target: 'missing', actions: assign({ fault: ({ event }) => faultOf(event.error) }) },
      },
    },
    kept: { type: 'final' },
  },
})
