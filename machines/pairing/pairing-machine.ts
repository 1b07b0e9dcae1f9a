// Pairing with another device: one waits to be called, the other calls, both show a code, and people compare. One run
// at a time, and an end to each.
import { assign, emit, setup } from 'xstate'
import { type ActionBodies, needed, providedAction } from '../effects.ts'
import type { FaultCode } from '../errors/catalogue.ts'
import { type Fault, faultOf, type Reply } from '../errors/fault.ts'
import type { FollowedState } from './messages.ts'
import type { PairingState } from './pairing.ts'
import {
  DISTURBED,
  ENDED_THERE,
  LOST,
  NO_RUN,
  NOBODY_CAME,
  NOT_CONFIRMED,
  NOT_OPEN,
  NOTHING_TO_CONFIRM,
  OTHER_CERTIFICATE,
  STORING,
  WRONG_CODE,
} from './pairing-faults.ts'

/** Time to walk to the other device and type its code. */
export const PAIRING_LIMIT_MS = 120_000
const REVEAL_LIMIT_MS = 10_000 // it is sent at once; a busy device takes some hundred milliseconds
const SHOWN_FOR_MS = 600_000
const SILENCE_LIMIT_MS = 10_000 // the one that calls asks every second
/** Of one opening: each costs whoever stands between a guess of one in a million. */
const MAX_RUNS = 3

/** The device at the other end of a pairing. */
export interface OtherDevice {
  /** Of its certificate, as it was shown in the handshake. */
  readonly fingerprint: string
  /** As it says itself. */
  readonly device_id: string
  /** As it says itself. */
  readonly name: string
}

/** A run. */
export interface PairingRun {
  readonly pairing_id: string
  readonly other: OtherDevice
  /** Of this side. */
  readonly nonce: string
  /** Of the other one's nonce, where that one calls. */
  readonly commitment: string | null
}

/** Whom to call. name: what it shall be called here; null: as it calls itself. */
export interface Callee {
  readonly base_url: string
  readonly name: string | null
}

/** A device that was called, and what both show. atMs: on the monotonic clock. */
export interface Called {
  readonly run: PairingRun
  readonly code: string
  readonly atMs: number
}

/** What was stored. peer_id: null where the other one calls. */
export interface Paired {
  readonly trust_id: string
  readonly peer_id: string | null
}

/** A run to be followed, and what the other side is told of this one. callee: null: that one asks, and is answered. */
export interface Followed {
  readonly run: PairingRun | null
  readonly callee: Callee | null
  readonly confirmed: boolean
}

/** A device that is being called. */
export interface Calling {
  /** Of its certificate. */
  readonly fingerprint: string
  /** What it knows the run by until it has named it. */
  readonly commitment: string
}

/** A run that has ended, at the one that called. run: as the other one knows it. */
export interface Left {
  readonly callee: Callee
  readonly fingerprint: string
  readonly run: Pick<PairingRun, 'pairing_id'> | Pick<Calling, 'commitment'>
}

/**
 * callOther: exchanges promises with a device until both have a code, and sends `call.begun` before that has heard of
 * it. checkReveal: gives the code if the nonce is the one that was promised, else fails with `pairing.disturbed`.
 * followOther: asks a device that was called how far it is, and sends `other.told`. storeTrust: enters the other
 * device. takeLeave: tells a device that was called that the run has ended here, as well as that can be done.
 */
const pairingEffects = {
  callOther: needed<Called, Callee | null>('callOther'),
  checkReveal: needed<string, { readonly run: PairingRun | null; readonly nonce: string }>('checkReveal'),
  followOther: needed<never, Followed>('followOther'),
  storeTrust: needed<Paired, Pick<Followed, 'run' | 'callee'>>('storeTrust'),
  takeLeave: needed<void, Left | null>('takeLeave'),
}
export type PairingEffects = typeof pairingEffects

/** Those who speak of a run show by which certificate they are known. */
interface OfRun {
  readonly ask: number
  readonly pairing_id: string
  readonly fingerprint: string
}

/** atMs: on the monotonic clock. */
export type PairingEvent =
  | { readonly type: 'pairing.open'; readonly ask: number; readonly atMs: number }
  | { readonly type: 'pairing.begin'; readonly ask: number; readonly callee: Callee }
  | { readonly type: 'pairing.close'; readonly ask: number }
  | { readonly type: 'pairing.confirm'; readonly ask: number; readonly code: string }
  | { readonly type: 'other.calls'; readonly ask: number; readonly run: PairingRun }
  | (OfRun & { readonly type: 'other.reveals'; readonly nonce: string; readonly atMs: number })
  | (OfRun & { readonly type: 'other.asks'; readonly confirmed: boolean })
  | (OfRun & { readonly type: 'other.ends' })
  | (Calling & { readonly type: 'other.withdraws'; readonly ask: number })
  | (Calling & { readonly type: 'call.begun' })
  | { readonly type: 'other.told'; readonly state: FollowedState }

interface Context {
  /** Whom this device calls; null: it is called. */
  readonly callee: Callee | null
  /** The device that is called, until both have a code. */
  readonly calling: Calling | null
  readonly run: PairingRun | null
  readonly code: string | null
  readonly otherConfirmed: boolean
  /** Of this opening; saturates at MAX_RUNS. */
  readonly runs: number
  /** When the state began that has a limit, monotonic. */
  readonly sinceMs: number
  readonly paired: Paired | null
  /** Why nothing came of it. No fault of this part of the service, so health does not show it. */
  readonly reason: Fault | null
  /** What was closed or given up, until the other side was told of it; null: nobody waits for that. */
  readonly left: Left | null
  /** Of the nonce that is being checked. */
  readonly reveal: { readonly ask: number; readonly nonce: string; readonly atMs: number }
}

const BLANK: Context = {
  callee: null,
  calling: null,
  run: null,
  code: null,
  otherConfirmed: false,
  runs: 0,
  sinceMs: 0,
  paired: null,
  reason: null,
  left: null,
  reveal: { ask: 0, nonce: '', atMs: 0 },
}

type Answer = Reply<FollowedState>

const followed = ({ context: { run, callee } }: { readonly context: Context }, confirmed: boolean): Followed => ({
  run,
  callee,
  confirmed,
})
/** Why a run has ended, where the other side knows that already, or nobody is there who could be told. */
const NOBODY_TO_TELL: ReadonlySet<FaultCode> = new Set([
  'pairing.ended_there',
  'pairing.refused_there',
  'pairing.wrong_certificate',
])
/** Who is told that it is over. The one that is called tells nobody: it is asked for its end, every second. */
const leaving = ({ context }: { readonly context: Context }): Left | null => {
  const { callee, calling, run, reason, left } = context
  if (!callee || (reason && NOBODY_TO_TELL.has(reason.code))) return left
  if (run) return { callee, fingerprint: run.other.fingerprint, run: { pairing_id: run.pairing_id } }
  return calling ? { callee, fingerprint: calling.fingerprint, run: { commitment: calling.commitment } } : left
}
/** The same when it is closed, or another is begun. Of one that had ended before, whoever has not been told yet. */
const givenUp = (of: { readonly context: Context }): Left | null =>
  of.context.code === null && of.context.calling === null ? of.context.left : leaving(of)
/** What is said by whoever speaks of a run. */
type OfAnyRun = Pick<OfRun, 'ask' | 'fingerprint'> & Partial<Pick<OfRun, 'pairing_id'> & Pick<Calling, 'commitment'>>
/** What an action or a guard is given. */
type From<Event> = { readonly context: Context; readonly event: Event }
type Asked = From<{ readonly ask: number }>
const REPLY = { type: 'reply', params: ({ event }: Asked) => event.ask } as const
/** Answers whoever asked with the state of this side. */
const answer = (state: FollowedState) =>
  ({ type: 'answer', params: ({ event: { ask } }: Asked) => ({ ask, state }) }) as const
/** Refuses what was asked. */
const refuse = (fault: Fault) => ({ type: 'refuse', params: ({ event: { ask } }: Asked) => ({ ask, fault }) }) as const
const tell = (state: PairingState) => ({ type: 'tell', params: state }) as const
const errorIn = ({ event: { error } }: From<{ readonly error: unknown }>): Fault => faultOf(error)
/** Ends the run without a pairing. */
const endWith = <Why>(reason: Why) =>
  ({ target: '#pairing.unpaired', actions: { type: 'give', params: reason } }) as const
/** A transition for the device alone that has this run. */
const ofRun = <const Transition>(transition: Transition) =>
  ({ guard: { type: 'isOfRun', params: ({ event }: From<OfRun>) => event }, ...transition }) as const
/** A transition for the device alone that called, before it knows how the run is named here. */
const ofCall = <const Transition>(transition: Transition) =>
  ({ guard: { type: 'isOfCall', params: ({ event }: From<Calling>) => event }, ...transition }) as const
/** To all who have no part in the run that there is. */
const NO_PART = [
  {
    guard: { type: 'isOfAnother', params: ({ event }: From<OfAnyRun>) => event },
    actions: [{ type: 'record', params: OTHER_CERTIFICATE }, refuse(NO_RUN)],
  },
  { actions: refuse(NO_RUN) },
] as const
/** What it comes to when the other device says that it is over, once both have a code. */
const ENDED_BY_OTHER = {
  target: 'unpaired',
  actions: [{ type: 'give', params: ENDED_THERE }, answer('failed')],
} as const
const NOTE_CONFIRMED = {
  type: 'note',
  params: ({ event }: From<{ readonly confirmed: boolean }>) => event.confirmed,
} as const
/** Tells the other side, while this state lasts, that what was left is over. */
const leave = <const Id extends string>(id: Id) =>
  ({
    id,
    src: 'takeLeave',
    input: ({ context }: { readonly context: Context }) => context.left,
    onDone: { actions: 'noteLeft' },
    onError: {},
  }) as const
/** Shows for a while how a run has ended. */
const SHOWN_FOR_A_WHILE = { shownFor: { target: 'closed', actions: ['forget', tell('closed')] } } as const

/** The actions that the actor provides. */
const pairingActions = {
  /** Everybody hears how far it is. */
  tell: providedAction<PairingState>(),
  /** Enters what looks like an attack in the error history. */
  record: providedAction<Fault>(),
}

export const pairingMachine = setup({
  types: { context: {} as Context, events: {} as PairingEvent, emitted: {} as Answer },
  actors: pairingEffects,
  actions: {
    ...pairingActions,
    forget: assign(BLANK),
    leave: assign((of) => ({ ...BLANK, left: givenUp(of) })),
    noteLeft: assign({ left: null }),
    give: assign((_, reason: Fault) => ({ reason })),
    note: assign((_, otherConfirmed: boolean) => ({ otherConfirmed })),
    reply: emit((_, ask: number): Answer => ({ type: 'reply', ask, outcome: 'done' })),
    answer: emit(
      (_, { ask, state }: { readonly ask: number; readonly state: FollowedState }): Answer => ({
        type: 'reply',
        ask,
        outcome: 'done',
        value: state,
      }),
    ),
    refuse: emit(
      (_, { ask, fault }: { readonly ask: number; readonly fault: Fault }): Answer => ({
        type: 'reply',
        ask,
        outcome: 'refused',
        fault,
      }),
    ),
  },
  guards: {
    /** Whether a device speaks of the run that it has itself. */
    isOfRun: ({ context: { run } }, { pairing_id, fingerprint }: OfRun) =>
      run !== null && run.pairing_id === pairing_id && run.other.fingerprint === fingerprint,
    /** The same before that device has heard how the run is named here. */
    isOfCall: ({ context: { run } }, { commitment, fingerprint }: Calling) =>
      run !== null && run.commitment === commitment && run.other.fingerprint === fingerprint,
    /** Whether somebody speaks of the run who is not the device that has it: what names it was said to nobody else. */
    isOfAnother: ({ context: { run } }, { fingerprint, pairing_id, commitment }: OfAnyRun) =>
      run !== null &&
      run.other.fingerprint !== fingerprint &&
      (pairing_id === run.pairing_id || commitment === run.commitment),
    isCode: ({ context }, code: string) => context.code === code,
    mayTryAgain: ({ context }) => context.runs < MAX_RUNS,
    /** The one that calls enters the other when it hears that it was entered there. */
    hasStored: ({ context }, state: FollowedState) => context.callee !== null && state === 'done',
    /** The one that is called does so as soon as both have confirmed. */
    bothConfirmed: ({ context }) => context.callee === null && context.otherConfirmed,
  },
  delays: {
    limit: PAIRING_LIMIT_MS,
    revealLimit: REVEAL_LIMIT_MS,
    silenceLimit: SILENCE_LIMIT_MS,
    shownFor: SHOWN_FOR_MS,
  },
}).createMachine({
  id: 'pairing',
  context: BLANK,
  initial: 'closed',
  on: {
    'pairing.open': {
      target: '.inviting',
      actions: [assign(({ context, event }) => ({ ...BLANK, sinceMs: event.atMs, left: givenUp({ context }) })), REPLY],
    },
    'pairing.begin': {
      target: '.calling',
      actions: [
        assign(({ context, event }) => ({ ...BLANK, callee: event.callee, left: givenUp({ context }) })),
        REPLY,
      ],
    },
    'pairing.close': { target: '.closed', actions: ['leave', REPLY, tell('closed')] },
    'pairing.confirm': { actions: refuse(NOTHING_TO_CONFIRM) },
    'other.calls': { actions: refuse(NOT_OPEN) },
    'other.reveals': NO_PART,
    'other.asks': NO_PART,
    'other.ends': NO_PART,
    'other.withdraws': NO_PART,
  },
  states: {
    closed: { invoke: leave('leaveClosed') },
    /** In pairing mode: one device at a time may call. */
    inviting: {
      after: { limit: endWith(NOBODY_CAME) },
      invoke: leave('leaveInviting'),
      initial: 'open',
      states: {
        open: {
          entry: [assign({ run: null }), tell('open')],
          on: {
            'other.calls': {
              target: 'waiting',
              actions: [
                assign(({ context, event }) => ({ run: event.run, runs: Math.min(context.runs + 1, MAX_RUNS) })),
                REPLY,
              ],
            },
          },
        },
        waiting: {
          entry: tell('waiting'),
          after: { revealLimit: 'broken' },
          on: {
            'other.reveals': ofRun({
              target: 'checking',
              actions: assign(({ event: { ask, nonce, atMs } }) => ({ reveal: { ask, nonce, atMs } })),
            }),
            'other.withdraws': ofCall({ target: 'withdrawn', actions: answer('failed') }),
          },
        },
        checking: {
          invoke: {
            id: 'checkReveal',
            src: 'checkReveal',
            input: ({ context: { run, reveal } }) => ({ run, nonce: reveal.nonce }),
            onDone: {
              target: '#pairing.running',
              actions: [
                assign(({ context, event }) => ({ code: event.output, sinceMs: context.reveal.atMs })),
                { type: 'answer', params: ({ context }) => ({ ask: context.reveal.ask, state: 'comparing' }) },
              ],
            },
            onError: {
              target: 'broken',
              actions: [
                {
                  type: 'refuse',
                  params: ({ context, event }) => ({ ask: context.reveal.ask, fault: faultOf(event.error) }),
                },
                { type: 'record', params: errorIn },
              ],
            },
          },
        },
        broken: { always: [{ guard: 'mayTryAgain', target: 'open' }, endWith(DISTURBED)] },
        /**
         * It counts as a run: whoever could give up each time that he has seen the nonce of this side would try until
         * the code suits him.
         */
        withdrawn: { always: [{ guard: 'mayTryAgain', target: 'open' }, endWith(ENDED_THERE)] },
      },
    },
    calling: {
      entry: tell('calling'),
      on: {
        'call.begun': {
          actions: assign(({ event: { fingerprint, commitment } }) => ({ calling: { fingerprint, commitment } })),
        },
      },
      invoke: [
        {
          id: 'callOther',
          src: 'callOther',
          input: ({ context }) => context.callee,
          onDone: {
            target: 'running',
            actions: assign(({ event: { output } }) => ({
              run: output.run,
              code: output.code,
              sinceMs: output.atMs,
              calling: null,
            })),
          },
          onError: endWith(errorIn),
        },
        leave('leaveCalling'),
      ],
    },
    /** Both have a code. People compare, while the two devices hear of each other. */
    running: {
      type: 'parallel',
      on: { 'other.ends': ofRun(ENDED_BY_OTHER), 'other.withdraws': ofCall(ENDED_BY_OTHER) },
      after: { limit: endWith(NOT_CONFIRMED) },
      states: {
        code: {
          initial: 'comparing',
          states: {
            comparing: {
              entry: tell('comparing'),
              invoke: {
                id: 'followComparing',
                src: 'followOther',
                input: (from) => followed(from, false),
                onError: endWith(errorIn),
              },
              on: {
                'pairing.confirm': [
                  {
                    guard: { type: 'isCode', params: ({ event }) => event.code },
                    target: 'confirmed',
                    actions: REPLY,
                  },
                  {
                    target: '#pairing.unpaired',
                    actions: [
                      refuse(WRONG_CODE),
                      { type: 'record', params: WRONG_CODE },
                      { type: 'give', params: WRONG_CODE },
                    ],
                  },
                ],
                'other.asks': ofRun({ actions: [NOTE_CONFIRMED, answer('comparing')] }),
              },
            },
            confirmed: {
              entry: tell('confirmed'),
              invoke: {
                id: 'followConfirmed',
                src: 'followOther',
                input: (from) => followed(from, true),
                onError: endWith(errorIn),
              },
              always: { guard: 'bothConfirmed', target: '#pairing.storing' },
              on: {
                'pairing.confirm': {
                  guard: { type: 'isCode', params: ({ event }) => event.code }, // pressed twice
                  actions: REPLY,
                },
                'other.asks': ofRun({ actions: [NOTE_CONFIRMED, answer('confirmed')] }),
                'other.told': {
                  guard: { type: 'hasStored', params: ({ event }) => event.state },
                  target: '#pairing.storing',
                },
              },
            },
          },
        },
        wire: {
          initial: 'listening',
          states: {
            listening: {
              after: { silenceLimit: endWith(LOST) },
              on: {
                'other.asks': ofRun({ target: 'listening', reenter: true }),
                'other.told': [
                  {
                    guard: ({ event }) => event.state === 'failed',
                    target: '#pairing.unpaired',
                    actions: { type: 'give', params: ENDED_THERE },
                  },
                  { target: 'listening', reenter: true },
                ],
              },
            },
          },
        },
      },
    },
    storing: {
      entry: tell('storing'),
      invoke: {
        id: 'storeTrust',
        src: 'storeTrust',
        input: ({ context: { run, callee } }) => ({ run, callee }),
        onDone: { target: 'done', actions: assign(({ event }) => ({ paired: event.output })) },
        onError: endWith(errorIn),
      },
      on: {
        'pairing.open': { actions: refuse(STORING) },
        'pairing.begin': { actions: refuse(STORING) },
        'pairing.close': { actions: refuse(STORING) },
        'other.asks': ofRun({ actions: answer('confirmed') }),
      },
    },
    /** For a while, or until the next one is begun: who looks shall see what came of it, and the other device too. */
    done: {
      entry: [assign({ code: null }), tell('done')],
      after: SHOWN_FOR_A_WHILE,
      on: { 'other.asks': ofRun({ actions: answer('done') }) },
    },
    /** Nothing came of it, which is no failure of this part of the service. Shown as `failed`. */
    unpaired: {
      entry: [assign((of) => ({ code: null, calling: null, left: leaving(of) })), tell('failed')],
      invoke: leave('leaveUnpaired'),
      after: SHOWN_FOR_A_WHILE,
      on: { 'other.asks': ofRun({ actions: answer('failed') }) },
    },
  },
})

/** The state of a snapshot of pairingMachine, by one name. */
export const pairingState = (value: unknown): PairingState => {
  if (typeof value === 'string') return value === 'unpaired' ? 'failed' : (value as PairingState)
  const { inviting, running } = value as { readonly inviting?: string; readonly running?: { readonly code: string } }
  if (inviting !== undefined) return inviting === 'open' ? 'open' : 'waiting'
  return running?.code as PairingState
}

/** Their bodies. */
export type PairingActions = ActionBodies<typeof pairingActions, typeof pairingMachine>

declare module '../supervision/actors.ts' {
  interface Actors {
    readonly pairing: typeof pairingMachine
  }
}
