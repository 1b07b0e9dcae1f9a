// The HTTP server: bound or not. It answers 200 on /v1/health as soon as it is bound.
import { assign, setup } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, isFault } from '../errors/fault.ts'
import { COMING_UP } from '../supervision/child.ts'

/** Where a server listens, with the port the system chose when 0 was asked for. */
export interface BoundAddress {
  readonly host: string
  readonly port: number
}

/** serve: binds, reports `http.bound`, serves for as long as the actor lives. */
const httpServerEffects = { serve: needed<never>('serve') }
export type HttpServerEffects = typeof httpServerEffects

export type HttpServerEvent = { readonly type: 'http.bound'; readonly address: BoundAddress }

export const httpServerMachine = setup({
  types: {
    context: {} as { readonly address: BoundAddress | null; readonly fault: Fault | null },
    events: {} as HttpServerEvent,
    output: {} as { readonly outcome: 'crashed'; readonly fault: Fault },
    tags: {} as typeof COMING_UP,
  },
  actors: httpServerEffects,
}).createMachine({
  id: 'http-server',
  context: { address: null, fault: null },
  output: ({ context }) => ({
    outcome: 'crashed',
    fault: context.fault ?? { code: 'http.stopped', detail: 'The HTTP server stopped without saying why.' },
  }),
  invoke: {
    id: 'serve',
    src: 'serve',
    onError: {
      target: '.crashed',
      actions: assign({ fault: ({ event }) => (isFault(event.error) ? event.error : null) }),
    },
  },
  initial: 'binding',
  states: {
    binding: {
      tags: COMING_UP,
      on: { 'http.bound': { target: 'listening', actions: assign({ address: ({ event }) => event.address }) } },
    },
    listening: {},
    crashed: { type: 'final' },
  },
})
