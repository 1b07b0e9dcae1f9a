// Orders that wait while the one before them is carried out, each answered once: what the settings' writer and the
// keepers of jobs and of media have in common.
import { type Fault, faultOf, isFault } from '../errors/fault.ts'
import { addCarriedOut, type CarriedOut, findCarriedOut } from '../requests/carried-out.ts'
import type { RequestMark } from '../requests/request.ts'

/** Orders that wait. One for jobs takes 5 ms at worst; the removal of a large file from a slow card takes a second. */
export const MAX_ORDERS = 64

const busy: Fault = { code: 'actor.not_now', detail: `${MAX_ORDERS} orders wait already; try again in a second` }

interface Order {
  readonly ask: number
  readonly request?: RequestMark
}

interface Queue<Waiting extends Order = Order> {
  readonly waiting: readonly Waiting[]
}

/** carried: those that were carried out last. Who repeats one that nobody heard the end of may wait behind it. */
interface RepeatableQueue<Left> extends Queue {
  readonly carried: readonly CarriedOut<Left>[]
}

/** The one that is being carried out, or is the next. */
export const firstOf = <Waiting extends Order>({ waiting }: Queue<Waiting>): Waiting => waiting[0] as Waiting

/** Whether there is no place for another one. */
export const tooManyWait = ({ waiting }: Queue): boolean => waiting.length >= MAX_ORDERS

/** The reply to an order that was carried out. value: its result; undefined: it has none. */
export const doneReply = <Value>(queue: Queue, value: Value | undefined) => {
  const reply = { type: 'reply', ask: firstOf(queue).ask, outcome: 'done' } as const
  return value === undefined ? reply : { ...reply, value }
}

/** The reply to an order that could not be carried out. */
export const failedReply = (queue: Queue, fault: Fault) =>
  ({ type: 'reply', ask: firstOf(queue).ask, outcome: 'failed', fault }) as const

/** Whether the next one is not to be carried out: that was done already. */
export const isRepeat = <Left>(queue: RepeatableQueue<Left>): boolean =>
  findCarriedOut(queue.carried, firstOf(queue).request) !== undefined

/** The sender of that order. */
export const repeatedReply = <Left>(queue: RepeatableQueue<Left>) => {
  const before = findCarriedOut(queue.carried, firstOf(queue).request)
  return isFault(before) ? failedReply(queue, before) : doneReply(queue, before?.left)
}

/** What becomes of `carried` when the first has been carried out. */
export const carriedWithFirst = <Left>(queue: RepeatableQueue<Left>, left: Left): readonly CarriedOut<Left>[] =>
  addCarriedOut(queue.carried, firstOf(queue).request, left)

/** To one for whom there is no place. */
export const busyReply = (ask: number, fault = busy) => ({ type: 'reply', ask, outcome: 'refused', fault }) as const

/**
 * The states in which the first order is carried out by the effect `carryOut`, or answered when it was before. idle:
 * the state beside them in which the next one is waited for.
 */
export const carryOutStates =
  <Waiting extends Order, Left>() =>
  <const Idle extends string>(idle: Idle) => {
    return {
      /** Whether somebody repeats what was ordered, and was carried out after its sender had gone. */
      deciding: {
        always: [{ guard: 'isRepeat', target: idle, actions: ['replyRepeated', 'dropFirst'] }, { target: 'ordering' }],
      },
      /** The first of the orders that wait is being carried out. */
      ordering: {
        invoke: {
          id: 'carryOut',
          src: 'carryOut',
          input: ({ context }: { readonly context: Queue<Waiting> }) => firstOf(context),
          onDone: {
            target: idle,
            actions: [
              { type: 'replyDone', params: outputOf<Left> },
              { type: 'noteCarried', params: outputOf<Left> },
              'dropFirst',
            ],
          },
          onError: {
            target: idle,
            actions: [
              {
                type: 'replyFailed',
                params: ({ event }: { readonly event: { readonly error: unknown } }) => faultOf(event.error),
              },
              'dropFirst',
            ],
          },
        },
      },
    } as const
  }

const outputOf = <Left>({ event }: { readonly event: { readonly output: Left } }): Left => event.output
