// The commands that other devices give to a stream: each goes through the same operation as the endpoint of the same
// effect.
import type { Static, TSchema } from 'typebox'
import { TAKE_SNAPSHOT } from '../../actors/media/tokens.ts'
import { CropBody } from '../../machines/cameras/crop.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { SourceCommand } from '../../machines/interdevice/command.ts'
import { PEER_ORDERS } from '../../machines/interdevice/peer-orders.ts'
import { PoseBody } from '../../machines/localization/pose-body.ts'
import type { LeftBehind, RequestMark } from '../../machines/requests/request.ts'
import Type from '../../machines/schema/type.ts'
import { type Expected, mergeOrder } from '../../machines/settings/commit.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { Given } from '../../machines/token.ts'
import type { Done, Undoable } from '../endpoints/command.ts'
import type { Awaitable } from '../endpoints/endpoint.ts'
import { toDone } from '../media/media-answer.ts'
import { Snapshot } from '../media/snapshot.ts'
import { controlNeeds, setControl } from '../stream/camera/controls.ts'
import { cropInForce, cropNeeds, cropOrder } from '../stream/camera/crop.ts'
import { changeNeeds, ManifestPatch, manifestChange } from '../stream/manifest-change.ts'
import { graphNeeds, PipelineBody, pipelineSwitch } from '../stream/pipeline/graph.ts'
import { posePatch } from '../stream/pose.ts'
import {
  RecordingRequest,
  recorderOf,
  recordingNeeds,
  START_LIMIT_MS,
  STOP_LIMIT_MS,
  startOrder,
  stopOrder,
} from '../stream/recording.ts'

/** What commands are carried out with. */
export const commandNeeds = {
  ...controlNeeds,
  ...changeNeeds,
  ...recordingNeeds,
  ...cropNeeds,
  ...graphNeeds,
  takeSnapshot: TAKE_SNAPSHOT,
  peerOrders: PEER_ORDERS,
}
export type CommandParts = Given<typeof commandNeeds>

/** A command that is to be carried out. */
export interface Commanded<Payload = never> {
  /** Of the stream. */
  readonly id: string
  readonly payload: Payload
  readonly expected: Expected
  readonly administers: boolean
  /** The mark of the request, for an operation that does its work in send; an order is given the mark by its row. */
  readonly mark?: RequestMark | undefined
}

type Recorder = ReturnType<typeof recorderOf>
type Ordered = Command<'settings' | Recorder>

/** How a command is carried out. */
export interface Operation<Payload = never> {
  readonly payload: TSchema
  /** The actor that gets the order. */
  readonly to: 'settings' | ((id: string) => Recorder)
  /** The order, why there is none to give, or what was done. */
  readonly send: (given: Commanded<Payload>) => Awaitable<Ordered | Undoable<Ordered> | Done | Fault>
  /** The result in the answer. done: what the actor answered. */
  readonly result?: (id: string, done: unknown) => Awaitable<unknown>
  readonly limitMs?: number
  /** The order checks the expected revision, and its answer has the new one. */
  readonly writesStream?: true
}

const Nothing = Type.Object({}, { additionalProperties: false })

const ControlPayload = Type.Object(
  {
    control_id: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
    value: Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  },
  { additionalProperties: false },
)

const operation = <Payload extends TSchema>(
  payload: Payload,
  rest: Omit<Operation<Static<Payload>>, 'payload'>,
): Operation => ({ payload, ...rest }) as Operation

/** One for each command. */
export const operationsOf = (parts: CommandParts): Readonly<Record<SourceCommand, Operation>> => ({
  set_control: operation(ControlPayload, {
    to: 'settings',
    send: ({ id, payload }) => setControl(parts, id, { ...payload, undo: true }), // what is refused is not done
  }),

  apply_manifest_patch: operation(ManifestPatch, {
    to: 'settings',
    writesStream: true,
    send: async ({ id, payload: { patch }, ...given }) =>
      under('/patch', await manifestChange(parts, id, { patch, isOfPeer: true, ...given })),
  }),

  start_recording: operation(RecordingRequest, {
    to: recorderOf,
    limitMs: START_LIMIT_MS,
    send: ({ id, payload }) => startOrder(parts, id, payload),
    result: (_id, done) => parts.store.get((done as LeftBehind).id),
  }),

  stop_recording: operation(Nothing, {
    to: recorderOf,
    limitMs: STOP_LIMIT_MS,
    send: ({ id }) => stopOrder(parts, id),
  }),

  snapshot: operation(Snapshot, {
    to: 'settings',
    send: async ({ id, payload, mark }) => toDone(await parts.takeSnapshot(id, payload, mark)),
    result: (_id, done) => parts.store.get((done as LeftBehind).id),
  }),

  set_crop: operation(CropBody, {
    to: 'settings',
    writesStream: true,
    send: ({ id, payload, expected }) => cropOrder(parts, id, payload, expected),
    result: (id, done) => cropInForce(parts, id, (done as { readonly revision: number }).revision),
  }),

  set_pose: operation(PoseBody, {
    to: 'settings',
    writesStream: true,
    send: ({ id, payload, expected }) => {
      const patch = posePatch(payload)
      return isFault(patch) ? patch : mergeOrder(streamCollection, id, patch, expected)
    },
  }),

  clear_pose: operation(Nothing, {
    to: 'settings',
    writesStream: true,
    send: ({ id, expected }) => mergeOrder(streamCollection, id, { pose: null }, expected),
  }),

  switch_pipeline: operation(PipelineBody, {
    to: 'settings',
    writesStream: true,
    send: ({ id, payload, expected }) => pipelineSwitch(parts, id, payload, expected),
  }),
})

/** Puts a pointer in front of the pointers of a fault: they are relative to a part of the body. */
export const under = <Value>(pointer: string, answer: Value | Fault): Value | Fault =>
  isFault(answer) && answer.errors
    ? { ...answer, errors: answer.errors.map((error) => ({ ...error, pointer: pointer + error.pointer })) }
    : answer
