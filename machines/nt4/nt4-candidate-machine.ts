// One address at which the robot may be: attempt after attempt, about one a second, until a session comes of one; and
// again when that is lost.
import { assign, setup, stateIn } from 'xstate'
import { needed } from '../effects.ts'
import { type Fault, isFault } from '../errors/fault.ts'
import { addressText, type Nt4Address } from './target.ts'

/** The server to connect to, and under which name. index: which of the link's addresses it is. */
export interface HoldSession {
  readonly index: number
  readonly at: Nt4Address
  readonly clientName: string
}

/**
 * holdSession: connects, reports `peer.answered` and `session.opened`, fails with the fault when the attempt or the
 * session ends.
 *
 * It has limits of its own for a peer that has answered; one that has not is given up from here.
 */
const nt4CandidateEffects = { holdSession: needed<never, HoldSession>('holdSession') }
export type Nt4CandidateEffects = typeof nt4CandidateEffects

/** seed: 0 to 1, another one on each device and for each address, so that they do not dial in step. */
export interface Nt4CandidateInput extends HoldSession {
  readonly seed: number
}

export type Nt4CandidateEvent =
  /** The host takes the connection: it is there, and gets the time that a handshake needs. */
  { readonly type: 'peer.answered' } | { readonly type: 'session.opened' }

/** What a candidate tells the link. failed: an attempt came to nothing. lost: a session that was open has ended. */
export type Nt4CandidateNews =
  | { readonly type: 'candidate.opened'; readonly index: number }
  | { readonly type: 'candidate.failed'; readonly index: number; readonly fault: Fault }
  | {
      readonly type: 'candidate.lost'
      readonly index: number
      readonly fault: Fault
      /** After such a pause it calls again. */
      readonly pauseMs: number
    }

interface Context extends Nt4CandidateInput {
  /** Which pause is next; it only spreads them, so it may start over. */
  readonly turn: number
}

const CYCLE_MS = 1_000
const TURNS = 8

/**
 * From one attempt to the next, ms: a quarter longer or shorter each time, for after a power cut all devices of a field
 * dial at once.
 */
export const cycleMs = (turn: number, seed: number): number => CYCLE_MS * (0.75 + 0.5 * ((seed + turn * 0.618) % 1))

const turnAfter = (turn: number): number => (turn + 1) % TURNS

const silent = ({ context: { index, at } }: { readonly context: HoldSession }): Nt4CandidateNews => {
  const detail = `nothing answers at ${addressText(at)}; is the robot on and the address right?`
  return { type: 'candidate.failed', index, fault: { code: 'nt4.unreachable', detail } }
}

const ended: Fault = { code: 'nt4.closed', detail: 'the NT4 session ended without saying why' }

type Told = { readonly context: Context; readonly event: object }

const failed = ({ context: { index }, event }: Told): Nt4CandidateNews => ({
  type: 'candidate.failed',
  index,
  fault: 'error' in event && isFault(event.error) ? event.error : ended,
})

const lost = (told: Told): Nt4CandidateNews => {
  const { turn, seed } = told.context
  return { ...failed(told), type: 'candidate.lost', pauseMs: cycleMs(turnAfter(turn), seed) } as Nt4CandidateNews
}

export const nt4CandidateMachine = setup({
  types: {
    input: {} as Nt4CandidateInput,
    context: {} as Context,
    events: {} as Nt4CandidateEvent,
  },
  actors: nt4CandidateEffects,
  guards: {
    isUnanswered: stateIn({ attempt: 'dialling' }),
    hasFailed: stateIn({ attempt: 'failed' }),
    isOpen: stateIn({ attempt: 'open' }),
    isGreeting: stateIn({ attempt: 'greeting' }),
  },
  actions: {
    takeTurn: assign({ turn: ({ context }) => turnAfter(context.turn) }),
    /** News for the link that made this candidate. */
    report: ({ self }, news: Nt4CandidateNews) => self._parent?.send(news),
  },
  delays: { cycle: ({ context }) => cycleMs(context.turn, context.seed) },
}).createMachine({
  id: 'nt4-candidate',
  context: ({ input }) => ({ ...input, turn: 0 }),
  initial: 'attempt',
  states: {
    attempt: {
      entry: 'takeTurn',
      invoke: {
        id: 'holdSession',
        src: 'holdSession',
        input: ({ context: { index, at, clientName } }) => ({ index, at, clientName }),
        onError: [
          { guard: 'isOpen', target: 'pausing', actions: { type: 'report', params: lost } },
          { guard: 'isGreeting', target: 'pausing', actions: { type: 'report', params: failed } },
          { target: '.failed', actions: { type: 'report', params: failed } },
        ],
      },
      // From the start of one attempt to that of the next: a host that swallows packets must not stretch it.
      after: {
        cycle: [
          { guard: 'isUnanswered', target: 'attempt', reenter: true, actions: { type: 'report', params: silent } },
          { guard: 'hasFailed', target: 'attempt', reenter: true },
        ],
      },
      initial: 'dialling',
      states: {
        dialling: { on: { 'peer.answered': 'greeting', 'session.opened': 'open' } },
        failed: {},
        greeting: { on: { 'session.opened': 'open' } },
        open: {
          entry: {
            type: 'report',
            params: ({ context: { index } }) => ({ type: 'candidate.opened', index }),
          },
        },
      },
    },
    pausing: { entry: 'takeTurn', after: { cycle: 'attempt' } },
  },
})
