// The name of the device: known, or being changed. Others change it too (a person at a shell, the network), so it is
// read again and again.
import { assign, emit, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, faultOf, type Reply } from '../errors/fault.ts'
import { ROUTINE } from '../supervision/child.ts'

/** readName: the name in force. applyName: gives another. */
const hostnameEffects = {
  readName: needed<string>('readName'),
  applyName: needed<void, string>('applyName'),
}
export type HostnameEffects = typeof hostnameEffects

export type HostnameEvent = { readonly type: 'hostname.set'; readonly ask: number; readonly name: string }

interface Context {
  /** The one in force; null: it is not known, or not yet. */
  readonly name: string | null
  /** Of the change under way. */
  readonly wanted: string
  /** Of the change under way. */
  readonly ask: number
  /** Why the name cannot be read. */
  readonly fault: Fault | null
}

const READ_EVERY_MS = 10_000 // who renamed the device by other means is let in under its new name within this

/** The actions that the actor provides. */
const hostnameActions = {
  /** The name is known now, or is another. */
  reportName: providedAction<string>(),
}

export const hostnameMachine = setup({
  types: { context: {} as Context, events: {} as HostnameEvent, emitted: {} as Reply },
  actors: hostnameEffects,
  actions: {
    ...hostnameActions,
    replyDone: emit(({ context }) => ({ type: 'reply', ask: context.ask, outcome: 'done' }) as const),
    replyFailed: emit(
      ({ context }, fault: Fault) => ({ type: 'reply', ask: context.ask, outcome: 'failed', fault }) as const,
    ),
  },
  delays: { readEvery: READ_EVERY_MS },
}).createMachine({
  id: 'hostname',
  context: { name: null, wanted: '', ask: 0, fault: null },
  initial: 'reading',
  states: {
    reading: {
      tags: ROUTINE,
      on: { 'hostname.set': { target: 'applying', actions: assign(({ event }) => order(event)) } },
      invoke: {
        id: 'readName',
        src: 'readName',
        onDone: {
          target: 'idle',
          actions: [
            assign({ name: ({ event }) => event.output, fault: null }),
            { type: 'reportName', params: ({ event }) => event.output },
          ],
        },
        onError: { target: 'idle', actions: assign({ name: null, fault: ({ event }) => faultOf(event.error) }) },
      },
    },
    idle: {
      tags: ROUTINE,
      on: { 'hostname.set': { target: 'applying', actions: assign(({ event }) => order(event)) } },
      after: { readEvery: 'reading' },
    },
    applying: {
      invoke: {
        id: 'applyName',
        src: 'applyName',
        input: ({ context }) => context.wanted,
        onDone: {
          target: 'idle',
          actions: [
            assign({ name: ({ context }) => context.wanted, fault: null }),
            { type: 'reportName', params: ({ context }) => context.wanted },
            'replyDone',
          ],
        },
        onError: {
          target: 'reading', // it may have got the name all the same
          actions: { type: 'replyFailed', params: ({ event }) => faultOf(event.error) },
        },
      },
    },
  },
})

const order = ({ ask, name }: HostnameEvent): Pick<Context, 'ask' | 'wanted'> => ({ ask, wanted: name })

/** Their bodies. */
export type HostnameActions = ActionBodies<typeof hostnameActions, typeof hostnameMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly hostname: typeof hostnameMachine
  }
}
