// The orders to an engine, each declared once: its client, its handlers and its checks are typed from this table.
import type { SourceClock } from '../../../machines/clock/source-clock.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Heading, LiveControls } from '../../../machines/extcam/live.ts'
import type { PoseDocument } from '../../../machines/localization/pose.ts'
import type { Plan, StepParams } from '../../../machines/pipeline/graph.ts'
import { PORT_KINDS } from '../../../machines/pipeline/kinds.ts'
import { quote } from '../../../machines/schema/quote.ts'
import type { PictureKind } from '../../../machines/stream/picture.ts'
import type { VideoWant } from '../../../machines/stream/video.ts'
import type { ViewerLook } from '../../viewers/port.ts'
import type { Engine, EngineTask, RecordingOrder } from '../port.ts'
import {
  areControls,
  isControlOutcome,
  isNothing,
  isOpened,
  isPlanned,
  isPulse,
  isRecordingProgress,
  type Opened,
  type Planned,
} from './answers.ts'
import { isHeading, isSourceClock, oddLiveField } from './live.ts'
import type { Report } from './reports.ts'

/** A message that came, of which nothing is known but its type. */
type Came = Readonly<Record<string, unknown>>

/** What there is to say of each order. */
interface OrderSpec {
  /** What it carries besides its type, of what its sender says. */
  readonly payload: (...args: never[]) => object
  /**
   * What is wrong with an order that came, as the end of a sentence; undefined: nothing. What it leaves unsaid is for
   * the addon to refuse, which reads tasks, kinds of pictures, parameters and mounts by itself.
   */
  readonly flaw?: (came: Came) => string | undefined
}

/** An order that is not answered. */
interface ToldSpec extends OrderSpec {
  /** The method of the port by which it is given; null: only viewers that are handed over need it. */
  readonly method: keyof Engine | null
}

/** An order that is answered under its number. Reported: the answer, as a report takes it. */
interface AskedSpec<Answer, Reported = Answer> extends OrderSpec {
  /** Whether what came is such an answer. */
  readonly isAnswer: (value: unknown) => value is Answer
  /** The report in which the answer is; default: `answer`, with the answer as its value. */
  readonly report?: (ask: number, answer: Reported) => Report
}

/** All orders by the name that they have on the wire. */
export const ORDERS = {
  /** Opens, or re-opens, the camera, and starts the plan. */
  open: {
    payload: (task: EngineTask) => ({ task }),
    flaw: ({ task }) => flawOfPlan((task as Came | null | undefined)?.plan),
    isAnswer: isOpened,
    report: (ask: number, opened: Opened): Report => ({ type: 'opened', ask, ...opened }),
  },
  /** Another plan for the open camera. is_trial: whether it can be made is all that is asked. */
  plan: {
    payload: (order: { readonly plan: Plan; readonly is_trial?: boolean }) => order,
    flaw: ({ plan }) => flawOfPlan(plan),
    isAnswer: (value): value is Planned | undefined => isNothing(value) || isPlanned(value),
    report: (ask: number, planned: Planned | undefined): Report =>
      planned ? { type: 'planned', ask, ...planned } : { type: 'answer', ask },
  },
  /** Whether its pipeline moves. */
  ping: { payload: () => ({}), isAnswer: isPulse },
  /** The controls of the open camera. */
  controls: { payload: () => ({}), isAnswer: areControls },
  'set-control': { payload: (id: number, value: number) => ({ id, value }), isAnswer: isControlOutcome },
  'record-start': {
    payload: (order: RecordingOrder) => order,
    flaw: (came) => (isRecordable(came) ? undefined : 'its order to record names no files, or not what goes into them'),
    isAnswer: isNothing,
  },
  'record-stop': { payload: () => ({}), isAnswer: isRecordingProgress },
  /** All parameters of some of its steps. */
  params: { method: 'setParams', payload: (steps: readonly StepParams[]) => ({ steps }) },
  'picture-kinds': { method: 'setPictureKinds', payload: (kinds: readonly PictureKind[]) => ({ kinds }) },
  mount: { method: 'setMount', payload: (mount: PoseDocument | null) => ({ mount }) },
  live: {
    method: 'setLive',
    payload: (live: LiveControls) => ({ live }),
    flaw: ({ live }) => {
      const odd = oddLiveField(live)
      return odd && `what the robot wants of it has no usable ${odd}`
    },
  },
  heading: {
    method: 'setHeading',
    payload: (heading: Heading) => ({ heading }),
    flaw: ({ heading }) => (isHeading(heading) ? undefined : 'the heading that it was told has no time, or no angle'),
  },
  'source-clock': {
    method: 'setSourceClock',
    payload: (clock: SourceClock | null) => ({ clock }),
    flaw: ({ clock }) =>
      isSourceClock(clock) ? undefined : 'what it was told of the clock of another device is no time',
  },
  rewind: {
    method: 'setRewind',
    payload: (maxBytes: number, isPaused = false) => ({ max_bytes: maxBytes, is_paused: isPaused }),
  },
  video: {
    method: 'setVideo',
    payload: (wanted: VideoWant | null) => ({ wanted }),
    flaw: ({ wanted }) => (isVideo(wanted) ? undefined : 'its order to encode names no encoder'),
  },
  'video-key': { method: 'wantVideoKey', payload: () => ({}) },
  /** Begins to write to a viewer that it holds. */
  'viewer-start': { method: null, payload: (viewer: number, look: ViewerLook) => ({ viewer, look }) },
  /** Lets go of a viewer; one that is unknown has left. */
  'viewer-drop': { method: null, payload: (viewer: number) => ({ viewer }) },
  /**
   * Its bytes are a JPEG that its viewers of an output are shown until the next picture; without bytes: no more of
   * that. output: empty for the camera's pictures.
   */
  placeholder: { method: null, payload: (output: string) => ({ output }) },
} satisfies Readonly<Record<string, ToldSpec | AskedSpec<unknown, never>>>

type Orders = typeof ORDERS

/** What an order is called on the wire. */
export type OrderName = keyof Orders

/** The orders that are answered. */
export type AskedName = {
  [Name in OrderName]: Orders[Name] extends { readonly isAnswer: unknown } ? Name : never
}[OrderName]

/** The orders that are not. */
export type ToldName = Exclude<OrderName, AskedName>

/** What the sender of an order says. */
export type ArgumentsOf<Name extends OrderName> = Parameters<Orders[Name]['payload']>

/** An order of one name, as it is on the wire. */
export type OrderOf<Name extends OrderName> = {
  readonly [Each in Name]: { readonly type: Each } & (Each extends AskedName ? { readonly ask: number } : unknown) &
    Readonly<ReturnType<Orders[Each]['payload']>>
}[Name]

/** Any order. Those with `ask` are answered. */
export type Order = OrderOf<OrderName>

/** The methods of the port that only give an order. */
export type ToldMethods = {
  readonly [Name in ToldName as NonNullable<Orders[Name]['method']>]: (...said: ArgumentsOf<Name>) => void
}

/** What is answered to an order. */
export type AnswerOf<Name extends AskedName> = Orders[Name]['isAnswer'] extends (
  value: unknown,
) => value is infer Answer
  ? Answer
  : never

/** What comes with the socket of a viewer, beside the wire. */
export interface ViewerMessage {
  /** The viewer's number. */
  readonly viewer: number
  /** The place of its record among those of the viewers. */
  readonly place: number
}

/** An order that came, or what is wrong with it. */
export type ReadOrder =
  | { readonly ok: true; readonly order: Order }
  | {
      readonly ok: false
      /** Whom to tell, when the order names an answer that can be given. */
      readonly ask: number | undefined
      readonly why: string
    }

const SPECS: Readonly<Record<string, OrderSpec>> = ORDERS

/** Reads any message, before anything is done about it. */
export const readOrder = (message: unknown): ReadOrder => {
  const came = (message ?? {}) as Came
  const { type } = came
  const ask = Number.isSafeInteger(came.ask) ? (came.ask as number) : undefined
  const spec = typeof type === 'string' && Object.hasOwn(SPECS, type) ? SPECS[type] : undefined
  if (!spec) return { ok: false, ask, why: `there is no order ${quote(type)}` }
  if ('isAnswer' in spec && ask === undefined) return { ok: false, ask, why: `the order ${type} has no number` }
  const why = spec.flaw?.(came)
  return why === undefined ? { ok: true, order: message as Order } : { ok: false, ask, why }
}

/** Whether an order is answered. Others may have a number too, which means nothing. */
export const isAsked = (order: Order): order is OrderOf<AskedName> => 'isAnswer' in ORDERS[order.type]

/** The engine's own fault for what it was told and cannot do. */
export const badOrder = (why: string): Fault => ({
  code: 'engine.bad_order',
  detail: `The vision engine of this stream was told something that it cannot do: ${why}. It goes on as before.`,
})

/** An order that is not answered, as it is sent. */
export const toldOrder = <Name extends ToldName>(type: Name, ...said: ArgumentsOf<Name>): Order =>
  ({ type, ...payloadOf(type, said) }) as Order

/** An order that is answered under the number `ask`, as it is sent. */
export const askedOrder = <Name extends AskedName>(type: Name, ask: number, ...said: ArgumentsOf<Name>): Order =>
  ({ type, ask, ...payloadOf(type, said) }) as Order

const payloadOf = <Name extends OrderName>(type: Name, said: ArgumentsOf<Name>): object =>
  (ORDERS[type].payload as (...said: ArgumentsOf<Name>) => object)(...said)

/** The methods of the port that only give an order, each of which hands its order to `send`. */
export const toldMethods = (send: (order: Order) => void): ToldMethods => {
  const methods = Object.entries(SPECS).flatMap(([name, spec]) => {
    const { method } = spec as Partial<ToldSpec>
    return method ? [[method, (...said: ArgumentsOf<ToldName>) => send(toldOrder(name as ToldName, ...said))]] : []
  })
  return Object.fromEntries(methods) as ToldMethods
}

const ASKED: { readonly [Name in AskedName]: AskedSpec<AnswerOf<Name>> } = ORDERS

/** The report of what was done for an order that asked for it. */
export const answerReport = <Name extends AskedName>(name: Name, ask: number, answer: AnswerOf<Name>): Report =>
  ASKED[name].report?.(ask, answer) ?? { type: 'answer', ask, value: answer }

/** Whether what came is an answer to that order. */
export const isAnswerTo = <Name extends AskedName>(name: Name, value: unknown): value is AnswerOf<Name> =>
  ASKED[name].isAnswer(value)

const isVideo = (wanted: unknown): boolean => {
  if (wanted === null) return true
  const { library, max_fps } = (wanted ?? {}) as Came
  return typeof library === 'string' && (max_fps === null || (Number.isFinite(max_fps) && (max_fps as number) > 0))
}

const isRecordable = (order: Came): boolean =>
  ['boolean', 'undefined'].includes(typeof order.rewinds) &&
  ['string', 'undefined'].includes(typeof order.library) &&
  ['path', 'sidecar_path', 'stream'].every((field) => typeof order[field] === 'string')

const KINDS: readonly unknown[] = PORT_KINDS

/** What the addon does not look at: the kinds of the outputs, which only the layout of the results needs. */
const flawOfPlan = (plan: unknown): string | undefined => {
  const { outputs } = (plan ?? {}) as Came
  if (!Array.isArray(outputs)) return 'it has no plan with outputs'
  const odd = outputs.some((output: Came | null) => !KINDS.includes(output?.kind))
  return odd ? 'an output of its plan is of no kind that is known' : undefined
}
