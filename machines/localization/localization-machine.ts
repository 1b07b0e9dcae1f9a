// Whether anybody knows where the robot is.
import { assign, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'

/** solveRounds: watches config, maps, streams and odometry, solves rounds while it is enabled, and tells of each. */
const localizationEffects = { solveRounds: needed<never>('solveRounds') }
export type LocalizationEffects = typeof localizationEffects

/** What the actor tells it. A round that gave no pose is no event: only time without a pose changes the state. */
export type LocalizationEvent =
  | { readonly type: 'config.changed'; readonly isEnabled: boolean }
  | { readonly type: 'streams.changed'; readonly isAnyUsable: boolean }
  | { readonly type: 'map.changed' }
  | { readonly type: 'mounts.changed' }
  /** A round gave a pose; of a fast camera not each needs to be told, but one in 50 ms. */
  | { readonly type: 'round.solved' }
  | { readonly type: 'odometry.fresh' }
  | { readonly type: 'odometry.stale' }
  /** The place that odometry carries on is unsure by more than a metre. */
  | { readonly type: 'fused.unsure' }

interface Context {
  readonly isAnyUsable: boolean
  readonly isOdometryFresh: boolean
}

/** The actions that the actor provides. */
const localizationActions = {
  /** Where the robot was says nothing any more: it was found by other settings. */
  clearHistory: providedAction(),
}

/** Without a pose for that long, the robot may be a metre from where it was. */
const TRACKED_FOR_MS = 300

/** After 3 s without tags the place by odometry is no longer shown. */
const COASTED_FOR_MS = 3_000 - TRACKED_FOR_MS

/** Localization of the robot by all cameras. Its states are those of LocalizationState. */
export const localizationMachine = setup({
  types: { context: {} as Context, events: {} as LocalizationEvent },
  actors: localizationEffects,
  actions: {
    ...localizationActions,
    noteStreams: assign({
      isAnyUsable: ({ context, event }) => (event.type === 'streams.changed' ? event.isAnyUsable : context.isAnyUsable),
    }),
  },
  guards: {
    isToBeOff: ({ event }) => event.type === 'config.changed' && !event.isEnabled,
    isNoneUsable: ({ event }) => event.type === 'streams.changed' && !event.isAnyUsable,
    streamIsUsable: ({ context }) => context.isAnyUsable,
    odometryIsFresh: ({ context }) => context.isOdometryFresh,
  },
  delays: { tracked: TRACKED_FOR_MS, coasted: COASTED_FOR_MS },
}).createMachine({
  id: 'localization',
  context: { isAnyUsable: false, isOdometryFresh: false },
  invoke: { id: 'solveRounds', src: 'solveRounds' },
  initial: 'off',
  on: {
    'config.changed': [
      { guard: 'isToBeOff', target: '.off', actions: 'clearHistory' },
      { target: '.waiting', actions: 'clearHistory' },
    ],
    'streams.changed': [
      { guard: 'isNoneUsable', target: '.waiting', actions: 'noteStreams' },
      { actions: 'noteStreams' },
    ],
    'map.changed': { target: '.waiting', actions: 'clearHistory' },
    'mounts.changed': { target: '.waiting', actions: 'clearHistory' },
    'odometry.fresh': { actions: assign({ isOdometryFresh: true }) },
    'odometry.stale': { actions: assign({ isOdometryFresh: false }) },
  },
  states: {
    off: {
      on: {
        'streams.changed': { actions: 'noteStreams' },
        'map.changed': {},
        'mounts.changed': {},
      },
    },
    /** No stream can be used. */
    waiting: { always: { guard: 'streamIsUsable', target: 'lost' } },
    tracking: {
      on: { 'round.solved': { target: 'tracking', reenter: true } },
      after: { tracked: [{ guard: 'odometryIsFresh', target: 'coasting' }, { target: 'lost' }] },
    },
    coasting: {
      on: {
        'round.solved': 'tracking',
        'odometry.stale': { target: 'lost', actions: assign({ isOdometryFresh: false }) },
        'fused.unsure': 'lost',
      },
      after: { coasted: 'lost' },
    },
    /** Streams can be used, and none of them shows where the robot is. */
    lost: { on: { 'round.solved': 'tracking' } },
  },
})

/** Their bodies. */
export type LocalizationActions = ActionBodies<typeof localizationActions, typeof localizationMachine>
