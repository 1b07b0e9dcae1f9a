// A guided capture: pictures of a board are looked at several times a second, those that say something new are taken,
// and it is told where to hold the board next, until the lens is known well enough.
import { assign, raise, type SnapshotFrom, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import { type Fault, faultOf } from '../errors/fault.ts'
import type { GuideKnown, TimedLook } from './capture/look.ts'
import {
  isEnough as isKnownWell,
  type Judged,
  judgeLook,
  MAX_CAPTURE_PICTURES,
  type Refusal,
  type TakenView,
} from './capture/rules.ts'

/** A picture that fits. key: of the picture, by which its JPEG is found. */
export interface FittingLook extends TimedLook {
  readonly key: number
}

/** What becomes known as a picture is taken. */
export interface TakenPicture {
  readonly view: TakenView
  readonly known: GuideKnown
}

const captureEffects = {
  /** Says when the capture is being solved, and when that is over. It never ends. */
  watchJobs: needed<never>('watchJobs'),
  /** Looks at the pictures, for as long as somebody may be there. It never ends; it fails when what looks does. */
  watchPictures: needed<never>('watchPictures'),
  /** Stores the picture, and has it reckoned with. */
  takePicture: needed<TakenPicture, FittingLook>('takePicture'),
}
export type CaptureEffects = typeof captureEffects

/** What the actor does. */
export const captureActions = {
  /** Enters a fault in the error history. */
  record: providedAction<Fault>(),
}

/** What a picture turned out to be. */
interface JudgedEvent {
  readonly type: 'look.judged'
  readonly judged: Judged
  readonly look: FittingLook
}

export type CaptureEvent =
  /** A picture was looked at. known: where that has changed. */
  | { readonly type: 'look.seen'; readonly look: FittingLook; readonly known?: GuideKnown; readonly isLive?: boolean }
  | JudgedEvent
  /** What is known by the pictures that were taken earlier. */
  | { readonly type: 'guide.known'; readonly known: GuideKnown; readonly taken: readonly TakenView[] }
  /** No pictures come. */
  | { readonly type: 'pictures.missing'; readonly detail: string }
  /** All pictures were looked at, and no more will come. */
  | { readonly type: 'pictures.ended' }
  /** Nobody has been there for long. */
  | { readonly type: 'attention.lost' }
  /** Somebody asks for it. */
  | { readonly type: 'attention.paid' }
  | { readonly type: 'solve.began'; readonly job_id: string }
  | { readonly type: 'solve.ended'; readonly outcome: SolveOutcome }

/** good: nothing is left to be wished for. lacking: more pictures may make it better. failed: there is no result. */
export type SolveOutcome = 'good' | 'lacking' | 'failed'

export interface CaptureContext {
  readonly taken: readonly TakenView[]
  readonly known: GuideKnown | null
  /** The newest picture with a board in it. */
  readonly before: TimedLook | null
  /** When the board was seen first since a picture was taken, milliseconds. */
  readonly since_ms: number | null
  /** Of the newest picture; null: it was not refused. */
  readonly refusal: Refusal | null
  /** Why no pictures come, or nothing can look at them; null: they come. */
  readonly trouble: string | null
  /** The job that solves it, or has. */
  readonly job_id: string | null
  /** Pictures that there are to be at least before it is enough. */
  readonly wanted: number
}

const RETRY_MS = 2_000 // what looks at pictures may have been ended for want of memory

const MORE_PICTURES = 5 // after a result that was not good

const judgedAs = (kind: Judged['kind']) => ({ type: 'isJudged', params: { kind } }) as const

const endedAs = (is: SolveOutcome) =>
  ({
    type: 'isOutcome',
    params: ({ event }: { readonly event: { readonly outcome: SolveOutcome } }) => ({ is, outcome: event.outcome }),
  }) as const

export const captureMachine = setup({
  types: { context: {} as CaptureContext, events: {} as CaptureEvent },
  actors: captureEffects,
  actions: {
    ...captureActions,
    judge: raise(({ context, event }) => {
      const { look, isLive } = event as Extract<CaptureEvent, { readonly type: 'look.seen' }>
      return { type: 'look.judged', judged: judgeLook(look, context, isLive), look } as const
    }),
    learn: assign((_, known: GuideKnown | undefined) => (known ? { known } : {})),
    keepLook: assign(({ context: { since_ms } }, look: TimedLook) =>
      look.corners.length > 0 ? { before: look, since_ms: since_ms ?? look.at_ms } : { before: null },
    ),
    refuse: assign((_, refusal: Refusal | null) => ({ refusal })),
    take: assign(({ context }, { view, known }: TakenPicture) => ({
      taken: [...context.taken, view],
      known,
      since_ms: null,
    })),
    setTrouble: assign((_, trouble: string | null) => ({ trouble })),
    wantMore: assign({
      wanted: ({ context }) => Math.min(MAX_CAPTURE_PICTURES, context.taken.length + MORE_PICTURES),
    }),
    forgetLook: assign({ before: null, since_ms: null, refusal: null }),
    remember: assign((_, { known, taken }: Pick<CaptureContext, 'taken'> & { readonly known: GuideKnown }) => ({
      known,
      taken,
    })),
  },
  guards: {
    isJudged: ({ event }, { kind }: { readonly kind: Judged['kind'] }) => (event as JudgedEvent).judged.kind === kind,
    isEnough: ({ context }, known: GuideKnown) => isKnownWell(known, context.wanted),
    isOutcome: (_, { is, outcome }: { readonly is: SolveOutcome; readonly outcome: SolveOutcome }) => is === outcome,
  },
  delays: { retry: RETRY_MS },
}).createMachine({
  id: 'capture',
  context: {
    taken: [],
    known: null,
    before: null,
    since_ms: null,
    refusal: null,
    trouble: null,
    job_id: null,
    wanted: 0,
  },
  invoke: { id: 'watchJobs', src: 'watchJobs' },
  initial: 'capturing',
  on: { 'solve.began': { target: '.solving', actions: assign({ job_id: ({ event }) => event.job_id }) } },
  states: {
    capturing: {
      invoke: {
        id: 'watchPictures',
        src: 'watchPictures',
        onError: {
          target: 'broken',
          actions: [
            { type: 'setTrouble', params: ({ event }) => faultOf(event.error).detail },
            { type: 'record', params: ({ event }) => faultOf(event.error) },
          ],
        },
      },
      exit: 'forgetLook',
      on: {
        'guide.known': [
          {
            guard: { type: 'isEnough', params: ({ event }) => event.known },
            target: 'enough',
            actions: { type: 'remember', params: ({ event }) => event },
          },
          { actions: { type: 'remember', params: ({ event }) => event } },
        ],
        'pictures.missing': {
          target: '.idle',
          actions: ['forgetLook', { type: 'setTrouble', params: ({ event }) => event.detail }],
        },
        'pictures.ended': 'enough',
        'attention.lost': 'asleep',
        'look.seen': {
          actions: [
            { type: 'learn', params: ({ event }) => event.known },
            { type: 'setTrouble', params: null },
            'judge',
            { type: 'keepLook', params: ({ event }) => event.look },
          ],
        },
        'look.judged': [
          { guard: judgedAs('none'), target: '.looking', actions: { type: 'refuse', params: null } },
          { guard: judgedAs('away'), target: '.proposing', actions: { type: 'refuse', params: null } },
          {
            guard: judgedAs('refused'),
            target: '.refused',
            actions: { type: 'refuse', params: ({ event }) => event.judged.refusal },
          },
          { guard: judgedAs('fits'), target: '.accepted', actions: { type: 'refuse', params: null } },
        ],
      },
      initial: 'idle',
      states: {
        /** No pictures have come yet. */
        idle: {},
        /** No board is to be seen. */
        looking: {},
        /** A board is to be seen, elsewhere than it is proposed. */
        proposing: {},
        /** The board is where it is of use, and the picture is not. */
        refused: {},
        /** A picture is being taken. */
        accepted: {
          on: { 'look.seen': {}, 'look.judged': {}, 'pictures.missing': {}, 'pictures.ended': {} },
          invoke: {
            id: 'takePicture',
            src: 'takePicture',
            input: ({ event }) => (event as JudgedEvent).look,
            onDone: [
              {
                guard: { type: 'isEnough', params: ({ event }) => event.output.known },
                target: '#capture.enough',
                actions: { type: 'take', params: ({ event }) => event.output },
              },
              { target: 'proposing', actions: { type: 'take', params: ({ event }) => event.output } },
            ],
            onError: {
              target: 'refused',
              actions: {
                type: 'refuse',
                params: ({ event }) => ({ code: 'not_kept', detail: faultOf(event.error).detail }) as const,
              },
            },
          },
        },
      },
    },
    /** Nobody was there for long. */
    asleep: {
      entry: { type: 'setTrouble', params: null },
      on: { 'attention.paid': 'capturing' },
    },
    /** What looks at pictures has ended. */
    broken: {
      after: { retry: 'capturing' },
      on: { 'attention.paid': 'capturing' },
    },
    enough: { entry: { type: 'setTrouble', params: null } },
    solving: {
      on: {
        'solve.ended': [
          { guard: endedAs('good'), target: 'done' },
          { guard: endedAs('lacking'), target: 'capturing', actions: 'wantMore' },
          { target: 'capturing' },
        ],
      },
    },
    done: {},
  },
})

/** Their bodies. */
export type CaptureActions = ActionBodies<typeof captureActions, typeof captureMachine>

/** States as people see them. */
export type CaptureStateName = 'idle' | 'looking' | 'proposing' | 'accepted' | 'refused' | 'enough' | 'solving' | 'done'

/** The state as people see it. */
export const captureStateName = ({ value }: Pick<SnapshotFrom<typeof captureMachine>, 'value'>): CaptureStateName => {
  const name = typeof value === 'string' ? value : (Object.values(value)[0] as string)
  return name === 'asleep' || name === 'broken' ? 'idle' : (name as CaptureStateName)
}

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly [captures: `captures/${string}`]: typeof captureMachine
  }
}
