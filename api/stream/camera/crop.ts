// The crop of a stream: what of its camera's picture it has.

import { AppliedCrop, Crop, CropBody, cropOfBody } from '../../../machines/cameras/crop.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import Type from '../../../machines/schema/type.ts'
import { type Expected, mergeOrder } from '../../../machines/settings/commit.ts'
import { streamCollection } from '../../../machines/stream/collection.ts'
import { streamChanged } from '../../../machines/stream/events.ts'
import { sizeOfSource } from '../../../machines/stream/sources/traits.ts'
import type { Command } from '../../../machines/supervision/actors.ts'
import type { Given } from '../../../machines/token.ts'
import { command } from '../../endpoints/command.ts'
import { fault } from '../../problems/problem.ts'
import { ofStream, ofStreamNeeds } from '../of-stream.ts'
import { streamParams } from '../wire.ts'
import { waitForEngine } from './wait-for-engine.ts'

/** The needs of the row of the crop. */
export const cropNeeds = ofStreamNeeds
type CropParts = Given<typeof cropNeeds>

const StreamCrop = Type.Object(
  {
    revision: Type.Integer({ minimum: 1, description: 'Of the stream.' }),
    crop: Type.Union([Crop, Type.Null()], { description: 'As it is stored; null: the stream has the whole picture.' }),
    applied: Type.Union([AppliedCrop, Type.Null()], {
      description: 'As it is in force; null: the whole picture, or the stream is disabled.',
    }),
  },
  { additionalProperties: false, title: 'StreamCrop', description: 'What of its picture a stream has.' },
)

const wanted = { x_px: 320, y_px: 160, width_px: 640, height_px: 480 }

export const cropRow = (parts: CropParts) =>
  command('POST', '/v1/streams/:id/crop', {
    params: streamParams,
    summary: 'Crop the picture of a stream',
    about: oneLine`
      From then on this part is the picture of the stream: results have their pixels counted from its corner, and
      previews, snapshots and recordings show no more. Poses stay what they were, and so does all that the robot
      reads. Answers when the camera has been opened with it; viewers keep their connection. Sensors that can, read no
      more than the part. A corner at multiples of 16 pixels has the camera's own JPEGs cut without loss; elsewhere
      they are encoded anew. A recording goes on in another file.
    `,
    conditional: true,
    publishes: [streamChanged],
    to: 'settings',
    body: { schema: CropBody, example: wanted },
    send: ({ params, body, expected }) => cropOrder(parts, params.id, body, expected),
    answer: {
      schema: StreamCrop,
      example: {
        revision: 2,
        crop: wanted,
        applied: { ...wanted, by: 'engine', sensor: null, picture: { width_px: 1280, height_px: 800 } },
      },
      canBeGone: true,
      of: ({ params }, { revision }) => cropInForce(parts, params.id, revision),
    },
    faults: ['stream.not_found', 'camera.failed'],
  })

/** The order that crops a stream, or why it cannot be. */
export const cropOrder = (
  parts: CropParts,
  id: string,
  body: CropBody,
  expected: Expected,
): Command<'settings'> | Fault =>
  ofStream(parts, id, ({ manifest: { source, crop: before }, engine }) => {
    const opened = engine.opened.value
    const seen = opened && (opened.crop?.picture ?? opened)
    const crop = cropOfBody(body, sizeOfSource(source) ?? seen)
    if (isFault(crop)) return crop
    return mergeOrder(streamCollection, id, crop || before ? { crop } : {}, expected)
  })

/**
 * The crop once its camera has been opened with it; undefined: the stream is gone. revision: with which it was stored.
 */
export const cropInForce = async (
  { streams }: CropParts,
  id: string,
  revision: number,
): Promise<object | Fault | undefined> => {
  const stream = streams.get(id)
  if (!stream) return undefined
  const why = await waitForEngine(stream, revision)
  if (stream.isDeleted) return undefined
  if (why !== null)
    return fault(
      'camera.failed',
      oneLine`
        the crop is stored, and will be in force when the camera of ${id} gives pictures; at present it does not: ${why}
      `,
    )
  const { crop = null, enabled } = stream.manifest
  return { revision, crop, applied: enabled ? (stream.engine.opened.value?.crop ?? null) : null }
}
