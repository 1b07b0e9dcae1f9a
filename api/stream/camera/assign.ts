// Giving a stream its camera: another one, or the one that it had, which is in another port now.

import type { Static } from 'typebox'
import { CAMERAS } from '../../../actors/cameras/tokens.ts'
import { CameraUid } from '../../../machines/cameras/mode.ts'
import type { PresentCamera } from '../../../machines/cameras/recognise.ts'
import { cameraCollection } from '../../../machines/cameras/unit.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import Type from '../../../machines/schema/type.ts'
import { assignCamera } from '../../../machines/stream/assign.ts'
import { streamChanged } from '../../../machines/stream/events.ts'
import type { Given } from '../../../machines/token.ts'
import { command } from '../../endpoints/command.ts'
import { fault } from '../../problems/problem.ts'
import { ofStream, ofStreamNeeds } from '../of-stream.ts'
import { streamParams } from '../wire.ts'

/** The needs of giving a stream a camera. */
export const assignNeeds = {
  ...ofStreamNeeds,
  cameras: CAMERAS,
}
type AssignParts = Given<typeof assignNeeds>

const AssignBody = Type.Object(
  {
    camera_uid: Type.Optional(CameraUid),
    device: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4096, description: 'In place of its name: where it is found now.' }),
    ),
    same_unit: Type.Optional(
      Type.Boolean({
        description: oneLine`
          true: it is the very camera that the stream has, in another port. false: it is another one, which takes
          over. Default: the same where it may be.
        `,
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'CameraAssignment',
    description: 'A camera that is plugged in, by its name or its device file.',
  },
)

export const assignRow = (parts: AssignParts) =>
  command('POST', '/v1/streams/:id/assign', {
    params: streamParams,
    summary: 'Say which camera a stream has',
    about: oneLine`
      Where the camera of the stream is away and this one may be it (\`candidates\` of the list of cameras), the
      lasting name of the former goes over to it, with its controls. Else, or with \`same_unit: false\`, this camera
      takes over the role; the stream keeps its mode where the camera has that too.
    `,
    conditional: true,
    publishes: [streamChanged],
    to: 'settings',
    body: { schema: AssignBody, example: { camera_uid: 'cam-k3f7q2ma' } },
    send: ({ params, body, expected }) => {
      const camera = cameraNamed(parts, body)
      if (isFault(camera)) return camera
      const answer = ofStream(parts, params.id, ({ id, stored }) =>
        assignCamera({
          stored,
          camera,
          expected,
          isSame: body.same_unit,
          recognised: parts.cameras.recognised,
          others: parts.streams.all().flatMap((each) => (each.id === id ? [] : [each.manifest])),
          conditions: parts.cameras.conditionsOf(camera.node),
        }),
      )
      return answer
    },
    revision: ({ params }) => parts.streams.get(params.id)?.stored.revision,
    faults: ['stream.not_found', 'camera.not_found', 'camera.in_use', 'manifest.invalid'],
  })

const cameraNamed = ({ cameras }: AssignParts, body: Static<typeof AssignBody>): PresentCamera | Fault => {
  const { camera_uid, device } = body
  if ((camera_uid === undefined) === (device === undefined))
    return fault('body.invalid', 'say which camera it is by its `camera_uid` or by its `device`, one of them', {
      errors: [{ pointer: '', message: 'has to name the camera by one of `camera_uid` and `device`' }],
    })
  const present = cameras.recognised.present.find(
    ({ unit, node }) => unit.camera_uid === camera_uid || node.device === device,
  )
  if (present) return present
  if (camera_uid !== undefined && !cameras.units.some((unit) => unit.camera_uid === camera_uid))
    return cameraCollection.notFound(camera_uid)
  return fault(
    'camera.not_found',
    `the camera ${camera_uid ?? device} is not plugged in; GET /v1/peripherals/cameras lists what there is`,
  )
}
