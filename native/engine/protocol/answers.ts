// What an engine answers to those orders that ask for something, and a cheap check of each: it came over a wire.
import type { Control, ControlOutcome } from '../../../machines/engine/controls.ts'
import type { Pulse } from '../../../machines/engine/health.ts'
import type { RecordingProgress } from '../../../machines/recording/progress.ts'
import type { EngineOpened } from '../port.ts'
import type { SentLayout } from './results.ts'

/** A plan that runs now. */
export interface Planned {
  /** The number that its results have. */
  readonly plan: number
  /** How these results are laid out. */
  readonly layout: SentLayout
}

/** A camera that is open now, and its plan. */
export interface Opened extends Planned {
  /** What was found when it was opened. */
  readonly opened: Omit<EngineOpened, 'layout'>
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

const areNumbers = (value: unknown, fields: readonly string[]): boolean =>
  fields.every((field) => typeof fieldsOf(value)[field] === 'number')

/** Whether it is no value: all that there is to say is that it was done. */
export const isNothing = (value: unknown): value is undefined => value === undefined

/** Whether it says how results are laid out. */
export const isPlanned = (value: unknown): value is Planned =>
  areNumbers(value, ['plan']) && Array.isArray(fieldsOf(fieldsOf(value).layout).outputs)

/** Whether it says what was opened. */
export const isOpened = (value: unknown): value is Opened =>
  isPlanned(value) && areNumbers(fieldsOf(value).opened, ['width_px', 'height_px', 'fps'])

/** Whether it says what the pipeline does. */
export const isPulse = (value: unknown): value is Pulse =>
  typeof fieldsOf(value).is_busy === 'boolean' && areNumbers(value, ['steps_done'])

/** Whether it is a list of controls. */
export const areControls = (value: unknown): value is readonly Control[] =>
  Array.isArray(value) && value.every((control) => areNumbers(control, ['id', 'value']))

/** Whether it says what came of setting a control. */
export const isControlOutcome = (value: unknown): value is ControlOutcome =>
  typeof fieldsOf(value).ok === 'boolean' && areNumbers(value, ['requested', 'applied'])

/** Whether it says how far a recording came. */
export const isRecordingProgress = (value: unknown): value is RecordingProgress =>
  areNumbers(value, ['pictures', 'pictures_lost', 'results', 'results_lost', 'bytes', 'duration_us']) &&
  (fieldsOf(value).first_us === null || areNumbers(value, ['first_us']))
