// The controls of the camera of a stream: brightness, exposure and their like.

import { CAMERAS } from '../../../actors/cameras/tokens.ts'
import { controlLabelOf } from '../../../machines/cameras/control-label.ts'
import { cameraChanged } from '../../../machines/cameras/events.ts'
import { cameraCollection } from '../../../machines/cameras/unit.ts'
import { contextOf, settable, withControl } from '../../../machines/cameras/wanted-controls.ts'
import { Control, type ControlOutcome } from '../../../machines/engine/controls.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import Type from '../../../machines/schema/type.ts'
import { changeOrder } from '../../../machines/settings/commit.ts'
import { controlChanged } from '../../../machines/stream/events.ts'
import { ownCameraOf } from '../../../machines/stream/sources/traits.ts'
import type { Command } from '../../../machines/supervision/actors.ts'
import type { Given } from '../../../machines/token.ts'
import { command, Undoable } from '../../endpoints/command.ts'
import { read } from '../../endpoints/read.ts'
import { fault } from '../../problems/problem.ts'
import { ofStream, ofStreamNeeds } from '../of-stream.ts'
import { cameraStreamParams } from '../wire.ts'

/** The needs of the rows of controls. */
export const controlNeeds = {
  ...ofStreamNeeds,
  cameras: CAMERAS,
}
type ControlParts = Given<typeof controlNeeds>

const LabelledControl = Type.Object(
  {
    ...Control.properties,
    label: Type.String({ description: 'Its name as people read it: `Exposure time`.' }),
    unit_label: Type.Union([Type.String(), Type.Null()], {
      description: 'The unit as people read it: µs, K. null: it has none.',
    }),
  },
  {
    additionalProperties: false,
    title: 'LabelledControl',
    description: 'A control of a camera. Exposure is in microseconds, whatever the camera counts in.',
  },
)

const Controls = Type.Object(
  {
    controls: Type.Array(LabelledControl, { description: 'In the order of their numbers; none of what is no camera.' }),
  },
  {
    additionalProperties: false,
    title: 'StreamControls',
    description: 'The controls of the camera of a stream, read anew.',
  },
)

const ControlValue = Type.Object(
  {
    value: Type.Integer({
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'In the unit of the control: exposure in microseconds, on and off as 1 and 0.',
    }),
  },
  { additionalProperties: false, title: 'ControlValue', description: 'What a control is to be set to.' },
)

const controlParams = {
  ...cameraStreamParams,
  control_id: Type.Integer({
    minimum: 0,
    maximum: 0xffff_ffff,
    description: "V4L2's number of the control, the `id` in the list of them.",
    examples: [9_963_776],
  }),
}

/** One of them, as an example. */
export const brightness = {
  id: 9_963_776,
  name: 'brightness',
  type: 'integer',
  min: -64,
  max: 64,
  step: 1,
  default: 0,
  value: 0,
  unit: null,
  flags: [],
  menu: null,
}

/** A control with its name and its unit as people read them. */
export const labelledControl = <Each extends Pick<Control, 'name'>>(control: Each) => {
  const { title: label, unit: unit_label } = controlLabelOf(control.name)
  return { ...control, label, unit_label }
}

export const controlRows = (parts: ControlParts) => [
  read('GET', '/v1/streams/:id/controls', {
    params: cameraStreamParams,
    summary: 'Controls of the camera',
    about: oneLine`
      Asks the camera, which takes some milliseconds each time. Their names are the same for all cameras, as far as
      there are names; exposure is in microseconds.
    `,
    answer: Controls,
    example: { controls: [labelledControl(brightness)] },
    get: async ({ params }) => {
      const controls = await controlsOfStream(parts, params.id)
      return isFault(controls) ? controls : { controls: controls.map(labelledControl) }
    },
    faults: ['stream.not_found', 'actor.unavailable', 'camera.not_open', 'camera.failed'],
  }),

  command('POST', '/v1/streams/:id/controls/:control_id', {
    params: controlParams,
    summary: 'Set a control of the camera',
    about: oneLine`
      Written, read back and compared; then it is stored with the camera, in whichever stream that is used, and set
      again whenever it is opened. Where the camera takes another value, or none, the answer is a problem with
      \`context: {requested, applied, ok}\`, and nothing is stored. A control that an automatic mode decides is
      refused: turn that off first (\`exposure_auto\` to 1).
    `,
    publishes: [controlChanged, cameraChanged],
    to: 'settings',
    body: { schema: ControlValue, example: { value: 12 } },
    send: ({ params, body }) =>
      setControl(parts, params.id, { control_id: numberIn(params.control_id), value: body.value }),
    faults: [
      ...(['stream.not_found', 'camera.not_open', 'camera.not_found', 'camera.failed'] as const),
      ...(['control.unknown', 'control.out_of_range', 'control.refused', 'control.adjusted'] as const),
    ],
  }),
]

/** NaN, which no control has, for what is not written as the list writes numbers. */
const numberIn = (text: string): number => (/^\d{1,10}$/.test(text) ? Number(text) : Number.NaN)

/** The controls of the camera that a stream has open, read again; or why they cannot be. */
export const controlsOfStream = async (parts: ControlParts, id: string): Promise<readonly Control[] | Fault> => {
  const controls = await openControls(parts, id)
  const list = isFault(controls) ? controls : await controls.list()
  return isFault(list) ? forClients(list) : list
}

/**
 * What is to be set. undo: a camera that takes another value, or whose value cannot be stored, is given back the one
 * that it had.
 */
interface ControlRequest {
  readonly control_id: number
  readonly value: number
  readonly undo?: true
}

/** Sets a control, and makes the order that stores it with its camera; or why neither is done. */
export const setControl = async (
  parts: ControlParts,
  id: string,
  { control_id, value, undo }: ControlRequest,
): Promise<Command<'settings'> | Undoable<Command<'settings'>> | Fault> => {
  const controls = await openControls(parts, id)
  if (isFault(controls)) return controls
  const list = await controls.list()
  if (isFault(list)) return forClients(list)
  const control = settable(list, control_id, value)
  if (isFault(control)) return control
  const outcome = await controls.set(control_id, value)
  if (isFault(outcome)) return forClients(outcome)
  const order = notAsAsked(outcome) ?? stored(parts, id, control, value)
  if (!undo || outcome.applied === control.value) return order
  const giveBack = () => controls.set(control_id, control.value)
  if (!isFault(order)) return new Undoable(order, giveBack)
  await giveBack()
  return order
}

const openControls = (parts: ControlParts, id: string) =>
  ofStream(parts, id, ({ engine, child, manifest }) => {
    if (engine.controls.value) return engine.controls.value
    return manifest.enabled && child?.snapshot() === undefined
      ? fault('actor.unavailable', `the stream ${id} does not run at present; its status says why`)
      : fault('camera.not_open', `the camera of ${id} is not open; its status says why`)
  })

const notAsAsked = ({ code, why, requested, applied }: ControlOutcome): Fault | undefined =>
  code === null ? undefined : fault(code, why ?? '', { context: contextOf(requested, applied) })

const stored = (parts: ControlParts, id: string, control: Control, value: number): Command<'settings'> | Fault => {
  const source = parts.streams.get(id)?.manifest.source
  const camera = source && ownCameraOf(source)
  const unit = camera && parts.cameras.units.find((each) => each.camera_uid === camera.camera_uid)
  if (!unit)
    return fault('camera.not_found', `the camera of ${id} was forgotten meanwhile; the control is set, and not stored`)
  return changeOrder(cameraCollection, unit.camera_uid, (now) => ({
    ...now,
    controls: withControl(now.controls, control, value),
  }))
}

const KNOWN: readonly string[] = ['stream.not_found', 'actor.unavailable', 'camera.not_open', 'control.unknown']

/** What an engine says of its camera, for clients of the API. */
const forClients = (found: Fault): Fault => (KNOWN.includes(found.code) ? found : fault('camera.failed', found.detail))
