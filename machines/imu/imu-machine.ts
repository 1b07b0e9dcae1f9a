// The IMU: it is looked for as long as it is wanted and is not there, read while it is, and tried again when it breaks.
import { assign, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, faultOf } from '../errors/fault.ts'
import { ROUTINE } from '../supervision/child.ts'
import type { FoundImu, FoundImus } from './found.ts'

/** What is to be read. */
export interface ImuWanted {
  readonly imu: FoundImu
  readonly rate_hz: number
}

/** What decides which one is read, and how. */
export interface ImuRequest {
  /** By its id; null: the best. */
  readonly imu: string | null
  readonly rate_hz: number
}

const imuEffects = {
  /** Tells of the settings, at first and when they change. */
  watchSettings: needed<never>('watchSettings'),
  findImu: needed<FoundImus>('findImu'),
  /** Reads it until it breaks. */
  readImu: needed<never, ImuWanted>('readImu'),
}
export type ImuEffects = typeof imuEffects

export type ImuEvent =
  | { readonly type: 'settings.changed'; readonly isEnabled: boolean; readonly request: ImuRequest }
  /** The first sample came. */
  | { readonly type: 'imu.opened' }
  /** It is known where up is. */
  | { readonly type: 'imu.settled' }
  /** That has to be found again, since it sits in another way or was not heard for a moment. */
  | { readonly type: 'imu.unsettled' }

/** The actions that the actor provides. */
const imuActions = {
  /** Params: what was found. */
  noteFound: providedAction<FoundImus>(),
  /** Params: which one is read; null: none. */
  noteUsed: providedAction<FoundImu | null>(),
  /** Params: why it is not read. */
  noteFault: providedAction<Fault>(),
}

interface Context {
  readonly request: ImuRequest
  readonly found: FoundImus
  /** How often in a row it broke before it ran. */
  readonly failures: number
}

const NONE: FoundImus = { imus: [], looked_for: [] }
const LOOK_EVERY_MS = 5_000 // who plugs one in waits no longer
const FIRST_RETRY_MS = 500
const MAX_FAILURES = 6

/** The one that is asked for; the best where none is. What cannot be used is none, also where it is asked for. */
const chosen = ({ found, request }: Pick<Context, 'found' | 'request'>): FoundImu | undefined =>
  found.imus.find(({ id, detail }) => detail === null && (request.imu === null || id === request.imu))

const isSame = (a: ImuRequest, b: ImuRequest): boolean => a.imu === b.imu && a.rate_hz === b.rate_hz

/** Its innermost states are those of ImuState. */
export const imuMachine = setup({
  types: { context: {} as Context, events: {} as ImuEvent },
  actors: imuEffects,
  actions: {
    ...imuActions,
    noteRequest: assign({
      request: ({ context, event }) => (event.type === 'settings.changed' ? event.request : context.request),
    }),
    countFailure: assign({ failures: ({ context }) => Math.min(context.failures + 1, MAX_FAILURES) }),
    forgetFailures: assign({ failures: 0 }),
  },
  guards: {
    isToBeOff: ({ event }) => event.type === 'settings.changed' && !event.isEnabled,
    isToBeOn: ({ event }) => event.type === 'settings.changed' && event.isEnabled,
    isAnother: ({ context, event }) => event.type === 'settings.changed' && !isSame(event.request, context.request),
  },
  delays: {
    lookEvery: LOOK_EVERY_MS,
    /** 0.5 s, doubled with each failure, 16 s at most. */
    beforeRetry: ({ context }) => FIRST_RETRY_MS * 2 ** Math.max(context.failures - 1, 0),
  },
}).createMachine({
  id: 'imu',
  context: { request: { imu: null, rate_hz: 0 }, found: NONE, failures: 0 },
  invoke: { id: 'watchSettings', src: 'watchSettings' },
  initial: 'off',
  states: {
    off: { on: { 'settings.changed': { guard: 'isToBeOn', target: 'on', actions: 'noteRequest' } } },
    on: {
      on: {
        'settings.changed': [
          { guard: 'isToBeOff', target: 'off', actions: 'forgetFailures' },
          { guard: 'isAnother', target: '.looking', actions: ['noteRequest', 'forgetFailures'] },
        ],
      },
      initial: 'looking',
      states: {
        looking: {
          tags: ROUTINE,
          invoke: {
            id: 'findImu',
            src: 'findImu',
            onDone: [
              {
                guard: ({ context, event }) => chosen({ ...context, found: event.output }) !== undefined,
                target: 'reading',
                actions: [
                  assign({ found: ({ event }) => event.output }),
                  { type: 'noteFound', params: ({ event }) => event.output },
                ],
              },
              {
                target: 'absent',
                actions: [
                  assign({ found: ({ event }) => event.output, failures: 0 }),
                  { type: 'noteFound', params: ({ event }) => event.output },
                ],
              },
            ],
            onError: {
              target: 'failed',
              actions: ['countFailure', { type: 'noteFault', params: ({ event }) => faultOf(event.error) }],
            },
          },
        },
        absent: { tags: ROUTINE, after: { lookEvery: 'looking' } },
        reading: {
          entry: { type: 'noteUsed', params: ({ context }) => chosen(context) ?? null },
          exit: { type: 'noteUsed', params: null },
          invoke: {
            id: 'readImu',
            src: 'readImu',
            input: ({ context }) => ({ imu: chosen(context) as FoundImu, rate_hz: context.request.rate_hz }),
            onError: {
              target: 'failed',
              actions: ['countFailure', { type: 'noteFault', params: ({ event }) => faultOf(event.error) }],
            },
          },
          initial: 'opening',
          states: {
            opening: { on: { 'imu.opened': 'settling' } },
            settling: { on: { 'imu.settled': { target: 'running', actions: 'forgetFailures' } } },
            running: { on: { 'imu.unsettled': 'settling' } },
          },
        },
        failed: { after: { beforeRetry: 'looking' } },
      },
    },
  },
})

/** Their bodies. */
export type ImuActions = ActionBodies<typeof imuActions, typeof imuMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly imu: typeof imuMachine
  }
}
