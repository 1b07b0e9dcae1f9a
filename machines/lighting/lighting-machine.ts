// The lights of the device: who has them, whether they may shine, and that what drives them is there. Who wants what is
// kept in every state, so that whoever is first in order has them as soon as there are any.
import { assign, emit, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, faultOf, type Reply } from '../errors/fault.ts'
import { COMING_UP, ROUTINE } from '../supervision/child.ts'
import { type Claim, withClaim, withClaims, withoutExpired, withoutGroup, withoutOwner } from './claims.ts'
import type { LightingStateName } from './state-name.ts'

/** What the search has found: whether any output that is set up is there; else why not. */
export interface Search {
  readonly isAnyThere: boolean
  /** For people: what is missing, and where it was looked for. */
  readonly detail: string
}

/** The effects. */
const lightingEffects = {
  /** Looks which outputs there are. */
  findOutputs: needed<Search>('findOutputs'),
  /** Takes the outputs, says `outputs.taken` and shows what is wanted, for ever; fails when they are gone. */
  holdOutputs: needed<never>('holdOutputs'),
  /** Tells of settings, of what the device has to show of itself, and of claims whose time is over. */
  watchDevice: needed<never>('watchDevice'),
  /** Tells when the device is too warm for lights, and when it is not any more. */
  watchHeat: needed<never>('watchHeat'),
}
export type LightingEffects = typeof lightingEffects

export type LightingEvent =
  /** Somebody wants groups to show something; nobody waits for an answer of the device's own claims. */
  | { readonly type: 'lighting.claim'; readonly ask: number; readonly claims: readonly Claim[] }
  /** An owner wants nothing of a group any more; null: of none. groups: all that there are. */
  | {
      readonly type: 'lighting.release'
      readonly ask: number
      readonly owner: string
      readonly group: string | null
      readonly groups: readonly string[]
    }
  | { readonly type: 'claim.made'; readonly claim: Claim }
  | { readonly type: 'claim.ended'; readonly owner: string }
  | { readonly type: 'time.passed'; readonly now_ms: number }
  | { readonly type: 'settings.changed' }
  | { readonly type: 'outputs.taken' }
  | { readonly type: 'heat.rose' }
  | { readonly type: 'heat.fell' }

interface Context {
  readonly claims: readonly Claim[]
  /** Starts of what drives the outputs that failed in a row; no more than MAX_TRIES are counted. */
  readonly tries: number
  /** What is wrong with what drives the outputs; null: nothing is. */
  readonly fault: Fault | null
  /** Why there is nothing to be lit, which is nothing wrong; null: there is something, or nobody has looked yet. */
  readonly nothing: Fault | null
}

const MAX_TRIES = 6
/** A lamp comes and goes with its plug: what reads a dozen small files may look twice a minute. */
const LOOK_EVERY_MS = 30_000
/** The first new start is at once: a lamp that went out in a match is wanted now. */
const RETRY_MS = [50, 500, 1_000, 2_000, 5_000]
const LAST_RETRY_MS = 10_000
/** Of what has held so long the next failure is a first one. */
const SOUND_AFTER_MS = 5_000

/** The actions that the actor provides. */
const lightingActions = {
  /** Claims are others now: those who show them, and those who wait for the end of one, look again. */
  applyClaims: providedAction<readonly Claim[]>(),
  /** Whether all is off, whatever is wanted. */
  applyCut: providedAction<boolean>(),
  /** The lights as a whole are in another state. */
  reportState: providedAction<LightingStateName>(),
  /** Params: what went wrong. */
  recordFault: providedAction<Fault>(),
}

export const lightingMachine = setup({
  types: {
    context: {} as Context,
    events: {} as LightingEvent,
    emitted: {} as Reply,
    input: {} as { readonly claims: readonly Claim[] },
  },
  actors: lightingEffects,
  actions: {
    ...lightingActions,
    change: assign(({ context: { claims }, event }) => ({ claims: claimsAfter(claims, event) })),
    replyDone: emit(({ event }) => ({ type: 'reply', ask: askOf(event), outcome: 'done' }) as const),
    replyFault: emit(
      ({ event }, fault: Fault) => ({ type: 'reply', ask: askOf(event), outcome: 'refused', fault }) as const,
    ),
    countTry: assign({ tries: ({ context }) => Math.min(MAX_TRIES, context.tries + 1) }),
  },
  guards: { isAnyThere: (_, found: Search) => found.isAnyThere },
  delays: {
    lookEvery: LOOK_EVERY_MS,
    soundAfter: SOUND_AFTER_MS,
    retry: ({ context }) => RETRY_MS[context.tries - 1] ?? LAST_RETRY_MS,
  },
}).createMachine({
  id: 'lighting',
  context: ({ input }) => ({ claims: input.claims, tries: 0, fault: null, nothing: null }),
  invoke: { id: 'watchDevice', src: 'watchDevice' },
  entry: { type: 'applyClaims', params: ({ context }) => context.claims },
  on: {
    'lighting.claim': {
      actions: ['change', { type: 'applyClaims', params: ({ context }) => context.claims }, 'replyDone'],
    },
    'lighting.release': {
      actions: ['change', { type: 'applyClaims', params: ({ context }) => context.claims }, 'replyDone'],
    },
    'claim.made': { actions: ['change', { type: 'applyClaims', params: ({ context }) => context.claims }] },
    'claim.ended': { actions: ['change', { type: 'applyClaims', params: ({ context }) => context.claims }] },
    'time.passed': { actions: ['change', { type: 'applyClaims', params: ({ context }) => context.claims }] },
    'settings.changed': { target: '.finding', actions: assign({ tries: 0 }) },
  },
  initial: 'finding',
  states: {
    finding: {
      tags: [COMING_UP, ROUTINE],
      entry: { type: 'reportState', params: 'finding' },
      invoke: {
        id: 'findOutputs',
        src: 'findOutputs',
        onDone: [
          {
            guard: { type: 'isAnyThere', params: ({ event }) => event.output },
            target: 'lit',
            actions: assign({ nothing: null }),
          },
          {
            target: 'absent',
            actions: assign({
              nothing: ({ event }): Fault => ({ code: 'lighting.none', detail: event.output.detail }),
              fault: null,
              tries: 0,
            }),
          },
        ],
        onError: {
          target: 'failed',
          actions: [assign({ fault: ({ event }) => lightingFault(event.error) }), 'countTry'],
        },
      },
    },
    /** Nothing lights: no output that is set up is there. */
    absent: {
      tags: ROUTINE,
      entry: { type: 'reportState', params: 'absent' },
      on: {
        'lighting.claim': { actions: { type: 'replyFault', params: ({ context }) => context.nothing ?? UNKNOWN } },
      },
      after: { lookEvery: 'finding' },
    },
    lit: {
      invoke: [
        {
          id: 'holdOutputs',
          src: 'holdOutputs',
          onError: {
            target: 'failed',
            actions: [assign({ fault: ({ event }) => lightingFault(event.error) }), 'countTry'],
          },
        },
        { id: 'watchHeat', src: 'watchHeat' },
      ],
      initial: 'taking',
      states: {
        taking: {
          tags: COMING_UP,
          on: { 'outputs.taken': { target: 'shining', actions: assign({ fault: null }) }, 'heat.rose': 'cut' },
        },
        shining: {
          entry: [
            { type: 'reportState', params: 'lit' },
            { type: 'applyCut', params: false },
          ],
          on: { 'heat.rose': 'cut' },
          after: { soundAfter: { actions: assign({ tries: 0 }) } },
        },
        /** The device is too warm: all is off, whoever wants what. */
        cut: {
          entry: [
            { type: 'reportState', params: 'cut' },
            { type: 'applyCut', params: true },
          ],
          exit: { type: 'applyCut', params: false },
          on: { 'heat.fell': 'shining' },
        },
      },
    },
    /** What drives the outputs cannot be had, or went away. */
    failed: {
      entry: [
        { type: 'reportState', params: 'failed' },
        { type: 'recordFault', params: ({ context }) => faultIn(context) },
      ],
      on: {
        'lighting.claim': { actions: { type: 'replyFault', params: ({ context }) => faultIn(context) } },
      },
      after: { retry: 'finding' },
    },
  },
})

const askOf = (event: { readonly type: string }): number => ('ask' in event ? (event.ask as number) : 0)

const claimsAfter = (claims: readonly Claim[], event: LightingEvent): readonly Claim[] => {
  if (event.type === 'lighting.claim') return withClaims(claims, event.claims)
  if (event.type === 'claim.made') return withClaim(claims, event.claim)
  if (event.type === 'lighting.release') {
    const { owner, group, groups } = event
    return group === null ? withoutOwner(claims, owner) : withoutGroup(claims, { owner, group, groups })
  }
  if (event.type === 'claim.ended') return withoutOwner(claims, event.owner)
  return event.type === 'time.passed' ? withoutExpired(claims, event.now_ms) : claims
}

const lightingFault = (error: unknown): Fault => {
  const { detail } = faultOf(error)
  return { code: 'lighting.failed', detail: `The lights do not work: ${detail}` }
}

const UNKNOWN: Fault = { code: 'lighting.failed', detail: 'The lights do not work, and it is not known why.' }

const faultIn = ({ fault }: Context): Fault => fault ?? UNKNOWN

/** Their bodies. */
export type LightingActions = ActionBodies<typeof lightingActions, typeof lightingMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly lighting: typeof lightingMachine
  }
}
