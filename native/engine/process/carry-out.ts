// What an engine does about each order. Whatever comes is carried out, answered with a fault, or reported: an engine
// does not die of what it is told.
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import {
  type AnswerOf,
  type AskedName,
  answerReport,
  badOrder,
  isAsked,
  type OrderOf,
  readOrder,
  type ToldName,
} from '../protocol/orders.ts'
import type { VisionEngine } from './engine.ts'
import type { ReportOutbox } from './report-outbox.ts'
import { toFault } from './to-fault.ts'

/** What carries an order out. */
export interface Carrier {
  readonly engine: VisionEngine
  /** The engine makes now what was asked for under that number. */
  readonly began: (ask: number) => void
}

/**
 * Carries out the orders of one name, which are answered: with a value, or with the fault that kept it from being done.
 */
type AskedHandler<Name extends AskedName> = (carrier: Carrier, order: OrderOf<Name>) => Promise<AnswerOf<Name> | Fault>

/** Carries out the orders of one name, which are not answered: what it throws is reported. bytes: what came with it. */
type ToldHandler<Name extends ToldName> = (
  carrier: Carrier,
  order: OrderOf<Name>,
  bytes: Uint8Array | undefined,
) => void

type AskedHandlers = { readonly [Name in AskedName]: AskedHandler<Name> }
type ToldHandlers = { readonly [Name in ToldName]: ToldHandler<Name> }

const NOTHING = new Uint8Array(0)

const HANDLERS = {
  open: ({ engine, began }, { ask, task }) => engine.open(task, () => began(ask)),
  plan: ({ engine, began }, { ask, plan, is_trial }) =>
    is_trial ? engine.tryPlan(plan, () => began(ask)) : engine.setPlan(plan, () => began(ask)),
  ping: async ({ engine }) => engine.stream.pulse(),
  controls: ({ engine }) => engine.listControls(),
  'set-control': ({ engine }, { id, value }) => engine.setControl(id, value),
  'record-start': ({ engine }, order) => engine.startRecording(order),
  'record-stop': ({ engine }) => engine.stopRecording(),
  params: ({ engine }, { steps }) => engine.setParams(steps),
  'picture-kinds': ({ engine }, { kinds }) => engine.stream.setPictureKinds(kinds),
  mount: ({ engine }, { mount }) => engine.setMount(mount),
  live: ({ engine }, { live }) => engine.setLive(live),
  heading: ({ engine }, { heading }) => engine.stream.addHeading(heading),
  'source-clock': ({ engine }, { clock }) => engine.stream.setSourceClock(clock),
  rewind: ({ engine }, { max_bytes, is_paused }) => engine.setRewind(max_bytes, is_paused),
  video: ({ engine }, { wanted }) => engine.setVideo(wanted),
  'video-key': ({ engine }) => engine.wantVideoKey(),
  'viewer-start': ({ engine }, { viewer, look }) => engine.stream.startViewer(viewer, look),
  'viewer-drop': ({ engine }, { viewer }) => engine.stream.dropViewer(viewer),
  placeholder: ({ engine }, { output }, bytes) => engine.stream.showInstead(bytes ?? NOTHING, output),
} satisfies AskedHandlers & ToldHandlers

const asked: AskedHandlers = HANDLERS
const told: ToldHandlers = HANDLERS

/** Takes the messages that come to an engine, with the bytes that came with each. */
export const carryOutOrders = (
  engine: VisionEngine,
  outbox: ReportOutbox,
): ((message: unknown, bytes?: Uint8Array) => void) => {
  const carrier: Carrier = { engine, began: (ask) => outbox.send({ type: 'began', ask }) }

  const fail = (ask: number, fault: Fault): void => outbox.send({ type: 'answer', ask, fault })

  const refuse = (ask: number | undefined, fault: Fault): void =>
    ask === undefined ? engine.warn(fault) : fail(ask, fault)

  /** Sent when it is made, before the engine begins with the next thing that it makes. */
  const answer = <Name extends AskedName>(order: OrderOf<Name>): Promise<void> =>
    asked[order.type](carrier, order).then(
      (made) => {
        if (isFault(made)) fail(order.ask, made)
        else outbox.send(answerReport(order.type, order.ask, made))
      },
      (error) => fail(order.ask, toFault(error)),
    )

  const tell = <Name extends ToldName>(order: OrderOf<Name>, bytes: Uint8Array | undefined): void =>
    told[order.type](carrier, order, bytes)

  return (message, bytes) => {
    const read = readOrder(message)
    try {
      if (!read.ok) refuse(read.ask, badOrder(read.why))
      else if (isAsked(read.order)) answer(read.order)
      else tell(read.order, bytes)
    } catch (error) {
      engine.warn(toFault(error))
    }
  }
}
