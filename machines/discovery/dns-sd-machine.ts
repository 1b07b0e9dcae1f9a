// Announces this device and finds others, by DNS-SD: on all networks on which the service is served, again whenever
// these change. Nothing depends on it, so whatever goes wrong is a reason to be off for a while and nothing else.
import { assign, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { faultOf } from '../errors/fault.ts'
import { isSameJson } from '../settings/same-json.ts'
import { ROUTINE } from '../supervision/child.ts'
import type { Announced } from './announcement.ts'

/** Where one could be heard now, and what one would say. announced null: nothing. */
export interface Survey {
  readonly addresses: readonly string[]
  readonly announced: Announced | null
}

/**
 * survey: looks at the networks. browse: says that this device is there, and listens who else is; it ends only with a
 * fault.
 */
const dnsSdEffects = {
  survey: needed<Survey>('survey'),
  browse: needed<never, Survey>('browse'),
}
export type DnsSdEffects = typeof dnsSdEffects

/** A request to find out now which devices are there. */
export interface DnsSdEvent {
  readonly type: 'peers.ask'
}

interface Context {
  readonly survey: Survey
  /** Why it is off; null: it is not. */
  readonly reason: string | null
}

interface Input {
  /** Why it shall be off from the start; null: it shall not. */
  readonly reason: string | null
}

const ROUND_EVERY_MS = 5_000 // who was switched off is gone from the list after three
const RETRY_EVERY_MS = 15_000 // as for everything that failed

/** The actions that the actor provides. */
const dnsSdActions = {
  /** Everybody is asked who is there. */
  askAround: providedAction(),
  /** Who did not answer for some rounds is forgotten. */
  forgetSilent: providedAction(),
  /** Tells why it failed. */
  reportFailed: providedAction<string>(),
  /** Nobody is heard any more. */
  forgetAll: providedAction(),
}

export const dnsSdMachine = setup({
  types: { context: {} as Context, input: {} as Input, events: {} as DnsSdEvent },
  actors: dnsSdEffects,
  actions: dnsSdActions,
  guards: {
    isOff: ({ context }) => context.reason !== null,
    isAlone: (_, { addresses }: Survey) => addresses.length === 0,
    isSame: ({ context }, survey: Survey) => isSameJson(survey, context.survey),
  },
  delays: { round: ROUND_EVERY_MS, retry: RETRY_EVERY_MS },
}).createMachine({
  id: 'dns-sd',
  context: ({ input: { reason } }) => ({ survey: { addresses: [], announced: null }, reason }),
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isOff', target: 'off' }, { target: 'surveying' }] },
    /** For as long as the service runs. */
    off: {},
    surveying: {
      invoke: {
        id: 'survey',
        src: 'survey',
        onDone: [
          { guard: { type: 'isAlone', params: ({ event }) => event.output }, target: 'alone' },
          { target: 'browsing', actions: assign({ survey: ({ event }) => event.output, reason: null }) },
        ],
        onError: { target: 'failed', actions: assign({ reason: ({ event }) => faultOf(event.error).detail }) },
      },
    },
    /** There is no network. */
    alone: {
      entry: [
        'forgetAll',
        assign({ reason: 'this device has no address in a network on which the service is served' }),
      ],
      after: { round: 'surveying' },
    },
    browsing: {
      tags: ROUTINE,
      invoke: {
        id: 'browse',
        src: 'browse',
        input: ({ context }) => context.survey,
        onError: { target: 'failed', actions: assign({ reason: ({ event }) => faultOf(event.error).detail }) },
      },
      initial: 'listening',
      on: { 'peers.ask': { actions: 'askAround' } },
      states: {
        listening: { after: { round: 'asking' } },
        asking: {
          entry: ['forgetSilent', 'askAround'],
          invoke: {
            id: 'surveyAgain',
            src: 'survey',
            onDone: [
              { guard: { type: 'isSame', params: ({ event }) => event.output }, target: 'listening' },
              { target: '#dns-sd.surveying' },
            ],
            onError: { target: '#dns-sd.surveying' },
          },
        },
      },
    },
    failed: {
      entry: ['forgetAll', { type: 'reportFailed', params: ({ context }) => context.reason ?? '' }],
      after: { retry: 'surveying' },
    },
  },
})

/** Their bodies. */
export type DnsSdActions = ActionBodies<typeof dnsSdActions, typeof dnsSdMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly 'dns-sd': typeof dnsSdMachine
  }
}
