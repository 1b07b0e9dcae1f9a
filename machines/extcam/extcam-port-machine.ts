// A port of its own on which one stream is served as the vendor's camera: bound or not. That it is not is nobody else's
// trouble.
import { assign, setup } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, isFault } from '../errors/fault.ts'
import type { BoundAddress } from '../http/http-server-machine.ts'
import type { reconcilerMachine } from '../supervision/reconciler-machine.ts'

/** serve: binds, reports `port.bound`, serves for as long as its state lasts; its fault says why it does not. */
const extcamPortEffects = { serve: needed<never>('serve') }
export type ExtcamPortEffects = typeof extcamPortEffects

export type ExtcamPortEvent = { readonly type: 'port.bound'; readonly address: BoundAddress }

/** As for everything that failed. */
const RETRY_MS = 15_000

export const extcamPortMachine = setup({
  types: {
    /** address: where it listens, or listened last. fault: why it does not. */
    context: {} as { readonly address: BoundAddress | null; readonly fault: Fault | null },
    events: {} as ExtcamPortEvent,
  },
  actors: extcamPortEffects,
  delays: { retry: RETRY_MS },
}).createMachine({
  id: 'extcam-port',
  context: { address: null, fault: null },
  initial: 'open',
  states: {
    open: {
      invoke: {
        id: 'serve',
        src: 'serve',
        onError: {
          target: 'refused',
          actions: assign({ fault: ({ event }) => (isFault(event.error) ? event.error : null) }),
        },
      },
      initial: 'binding',
      states: {
        binding: {
          on: {
            'port.bound': {
              target: 'listening',
              actions: assign({ address: ({ event }) => event.address, fault: null }),
            },
          },
        },
        listening: {},
      },
    },
    refused: { after: { retry: 'open' } },
  },
})

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly 'extcam-ports': typeof reconcilerMachine
  }
}
