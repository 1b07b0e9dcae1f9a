// Measuring what the modes of a camera are worth.

import { CAMERAS } from '../../../actors/cameras/tokens.ts'
import { FORMAT_BENCH } from '../../../actors/formats/tokens.ts'
import { STREAM_REGISTRY } from '../../../actors/stream/tokens.ts'
import { modesOf } from '../../../machines/cameras/camera-info.ts'
import { CameraMode, CameraUid } from '../../../machines/cameras/mode.ts'
import { FormatBench } from '../../../machines/formats/bench.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import Type from '../../../machines/schema/type.ts'
import { userOf } from '../../../machines/stream/assign.ts'
import type { Given } from '../../../machines/token.ts'
import { command } from '../../endpoints/command.ts'
import { jobAnswer, jobNeeds } from '../../jobs/answer.ts'
import { fault } from '../../problems/problem.ts'

/** The needs of the row of modes. */
export const formatNeeds = {
  ...jobNeeds,
  cameras: CAMERAS,
  streams: STREAM_REGISTRY,
  bench: FORMAT_BENCH,
}
type FormatParts = Given<typeof formatNeeds>

const MAX_MODES = 64
const DEFAULT_DURATION_MS = 1000

const BenchBody = Type.Object(
  {
    camera_uid: CameraUid,
    modes: Type.Optional(
      Type.Array(CameraMode, { minItems: 1, maxItems: MAX_MODES, description: 'Default: all that the camera has.' }),
    ),
    duration_ms: Type.Optional(
      Type.Integer({ minimum: 200, maximum: 10_000, description: `Of each mode. Default: ${DEFAULT_DURATION_MS}.` }),
    ),
  },
  { additionalProperties: false, title: 'FormatBenchRequest', description: 'What is to be measured.' },
)

export const formatRow = ({ cameras, streams, jobs, bench }: FormatParts) =>
  command('POST', '/v1/streams/bench/formats', {
    summary: 'Measure the modes of a camera',
    about: oneLine`
      Opens the camera in each mode for a moment, and ranks them by what really came and what it cost here. A job: its
      progress, result and end are at the \`Location\`. No stream may have the camera meanwhile: delete it first.
    `,
    body: { schema: BenchBody, example: { camera_uid: 'cam-k3f7q2ma' } },
    to: 'job-keeper',
    send: ({ body: { camera_uid, modes, duration_ms = DEFAULT_DURATION_MS } }) => {
      const camera = cameras.present(camera_uid)
      if (!camera)
        return fault(
          'camera.not_found',
          `no camera ${camera_uid} is plugged in; GET /v1/peripherals/cameras lists those that are`,
        )
      const user = userOf(
        camera_uid,
        streams.all().flatMap(({ manifest }) => (manifest.enabled ? [manifest] : [])),
      )
      if (user)
        return fault(
          'camera.in_use',
          `the stream ${user.id} has the camera; delete that stream first, and create it again afterwards`,
        )
      const all = modesOf(camera.node)
      return jobs.order({
        kind: 'format_bench',
        resource_ref: { camera_uid },
        work: bench({ camera_uid, duration_ms, modes: (modes ?? all).slice(0, MAX_MODES) }),
      })
    },
    answer: jobAnswer({
      jobs,
      kind: 'format_bench',
      title: 'FormatBenchJob',
      result: FormatBench,
      resource_ref: { camera_uid: 'cam-k3f7q2ma' },
    }),
    faults: ['camera.not_found', 'camera.in_use', 'job.too_many'],
  })
