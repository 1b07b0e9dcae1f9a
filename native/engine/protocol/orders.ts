// Orders as they come over the wire, before anything is done about them. What is in a task is the addon's to read; here is what an order is.
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
import type { EngineTask, RecordingOrder } from '../port.ts'
import { isHeading, isSourceClock, oddLiveField } from './live.ts'

/** Orders to an engine. Those with `ask` are answered. */
export type Order =
  | { readonly type: 'open'; readonly ask: number; readonly task: EngineTask }
  /** Another plan for the open camera. is_trial: whether it can be made is all that is asked. */
  | { readonly type: 'plan'; readonly ask: number; readonly plan: Plan; readonly is_trial?: boolean }
  /** All parameters of some of its steps. */
  | { readonly type: 'params'; readonly steps: readonly StepParams[] }
  | { readonly type: 'ping'; readonly ask: number }
  | { readonly type: 'controls'; readonly ask: number }
  | { readonly type: 'set-control'; readonly ask: number; readonly id: number; readonly value: number }
  | { readonly type: 'picture-kinds'; readonly kinds: readonly PictureKind[] }
  | { readonly type: 'mount'; readonly mount: PoseDocument | null }
  | { readonly type: 'live'; readonly live: LiveControls }
  | { readonly type: 'heading'; readonly heading: Heading }
  | { readonly type: 'source-clock'; readonly clock: SourceClock | null }
  | { readonly type: 'rewind'; readonly max_bytes: number; readonly is_paused?: boolean }
  | { readonly type: 'video'; readonly wanted: VideoWant | null }
  | { readonly type: 'video-key' }
  | ({ readonly type: 'record-start'; readonly ask: number } & RecordingOrder)
  | { readonly type: 'record-stop'; readonly ask: number }
  /** Begins to write to a viewer that it holds. */
  | { readonly type: 'viewer-start'; readonly viewer: number; readonly look: ViewerLook }
  /** Lets go of a viewer; one that is unknown has left. */
  | { readonly type: 'viewer-drop'; readonly viewer: number }
  /** Its bytes are a JPEG that its viewers of an output are shown until the next picture; without bytes: no more of that. output: empty for the camera's pictures. */
  | { readonly type: 'placeholder'; readonly output: string }

/** What comes with the socket of a viewer, beside the wire. place: of its record in the page. */
export interface ViewerMessage {
  readonly viewer: number
  readonly place: number
}

/** ask: whom to tell, when the order names an answer that can be given. */
export type ReadOrder =
  | { readonly ok: true; readonly order: Order }
  | { readonly ok: false; readonly ask: number | undefined; readonly why: string }

const ANSWERED: readonly unknown[] = ['open', 'plan', 'ping', 'controls', 'set-control', 'record-start', 'record-stop']
const UNANSWERED: readonly unknown[] = [
  'picture-kinds',
  'params',
  'mount',
  'live',
  'heading',
  'source-clock',
  'rewind',
  'video',
  'video-key',
  'viewer-start',
  'viewer-drop',
  'placeholder',
]

const isVideo = (wanted: unknown): boolean =>
  wanted === null || typeof (wanted as { readonly library?: unknown } | undefined)?.library === 'string'

const isRecordable = (order: Readonly<Record<string, unknown>>): boolean =>
  ['boolean', 'undefined'].includes(typeof order.rewinds) &&
  ['string', 'undefined'].includes(typeof order.library) &&
  ['path', 'sidecar_path', 'stream'].every((field) => typeof order[field] === 'string')

/** Reads any message. */
export const readOrder = (message: unknown): ReadOrder => {
  const { type, ask } = (message ?? {}) as { readonly type?: unknown; readonly ask?: unknown }
  const whom = Number.isSafeInteger(ask) ? (ask as number) : undefined
  if (ANSWERED.includes(type) && whom === undefined) return refused(undefined, `the order ${type} has no number`)
  if (type === 'open' || type === 'plan') {
    const { task, plan } = message as { readonly task?: { readonly plan?: unknown } | null; readonly plan?: unknown }
    const why = whyNotLaidOut(type === 'open' ? task?.plan : plan)
    if (why) return refused(whom, why)
  }
  if (type === 'record-start' && !isRecordable(message as Record<string, unknown>))
    return refused(whom, 'its order to record names no files, or not what goes into them')
  if (type === 'video' && !isVideo((message as { readonly wanted?: unknown }).wanted))
    return refused(whom, 'its order to encode names no encoder')
  if (type === 'live') {
    const odd = oddLiveField((message as { readonly live?: unknown }).live)
    if (odd) return refused(whom, `what the robot wants of it has no usable ${odd}`)
  }
  if (type === 'heading' && !isHeading((message as { readonly heading?: unknown }).heading))
    return refused(whom, 'the heading that it was told has no time, or no angle')
  if (type === 'source-clock' && !isSourceClock((message as { readonly clock?: unknown }).clock))
    return refused(whom, 'what it was told of the clock of another device is no time')
  return ANSWERED.includes(type) || UNANSWERED.includes(type)
    ? { ok: true, order: message as Order }
    : refused(whom, `there is no order ${quote(type)}`)
}

/** The engine's own fault for what it was told and cannot do. */
export const badOrder = (why: string): Fault => ({
  code: 'engine.bad_order',
  detail: `The vision engine of this stream was told something that it cannot do: ${why}. It goes on as before.`,
})

const refused = (ask: number | undefined, why: string): ReadOrder => ({ ok: false, ask, why })

const KINDS: readonly unknown[] = PORT_KINDS

/** What the addon does not look at: the kinds of the outputs, which only the layout of the results needs. */
const whyNotLaidOut = (plan: unknown): string | undefined => {
  const { outputs } = (plan ?? {}) as { readonly outputs?: unknown }
  if (!Array.isArray(outputs)) return 'it has no plan with outputs'
  const odd = outputs.some((output: { readonly kind?: unknown } | null) => !KINDS.includes(output?.kind))
  return odd ? 'an output of its plan is of no kind that is known' : undefined
}
