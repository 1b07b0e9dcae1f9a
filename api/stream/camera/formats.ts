// Measuring what the modes of a camera are worth.

import { CAMERAS } from '../../../actors/cameras/tokens.ts'
import { FORMAT_BENCHES } from '../../../actors/formats/tokens.ts'
import { modesOf } from '../../../machines/cameras/camera-info.ts'
import { CameraMode, CameraUid } from '../../../machines/cameras/mode.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { FormatBench } from '../../../machines/formats/bench.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import Type from '../../../machines/schema/type.ts'
import type { Given } from '../../../machines/token.ts'
import { command } from '../../endpoints/command.ts'
import { jobAnswer, jobNeeds } from '../../jobs/answer.ts'
import { fault } from '../../problems/problem.ts'

/** The needs of the row of modes. */
export const formatNeeds = {
  ...jobNeeds,
  cameras: CAMERAS,
  benches: FORMAT_BENCHES,
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
    hold_stream: Type.Optional(
      Type.Boolean({
        description: 'Whether a stream that has the camera is paused meanwhile. Default: no, it is refused then.',
      }),
    ),
  },
  { additionalProperties: false, title: 'FormatBenchRequest', description: 'What is to be measured.' },
)

export const formatRow = ({ cameras, jobs, benches }: FormatParts) =>
  command('POST', '/v1/streams/bench/formats', {
    summary: 'Measure the modes of a camera',
    about: oneLine`
      Opens the camera in each mode for a moment, and ranks them by what really came and what it cost here. A job: its
      progress, result and end are at the \`Location\`. Where a stream has the camera that is refused, unless the stream
      may be held (\`hold_stream\`): then it is \`paused\` while the job runs, and goes on however the job ends. Nothing
      of that is stored. A stream that is being recorded is not held, and none while the robot is enabled; a robot that
      is enabled meanwhile ends the job.
    `,
    body: { schema: BenchBody, example: { camera_uid: 'cam-k3f7q2ma' } },
    to: 'job-keeper',
    send: ({ body: { camera_uid, modes, duration_ms = DEFAULT_DURATION_MS, hold_stream = false } }) => {
      const camera = cameras.present(camera_uid)
      if (!camera)
        return fault(
          'camera.not_found',
          `no camera ${camera_uid} is plugged in; GET /v1/peripherals/cameras lists those that are`,
        )
      const refusal = hold_stream ? benches.refusal(camera_uid) : inUse(benches.usersOf(camera_uid))
      if (refusal) return refusal
      const all = modesOf(camera.node)
      return jobs.order({
        kind: 'format_bench',
        resource_ref: { camera_uid },
        work: benches.work({
          camera_uid,
          duration_ms,
          modes: (modes ?? all).slice(0, MAX_MODES),
          hold_stream,
        }),
      })
    },
    answer: jobAnswer({
      jobs,
      kind: 'format_bench',
      title: 'FormatBenchJob',
      result: FormatBench,
      resource_ref: { camera_uid: 'cam-k3f7q2ma' },
    }),
    faults: ['camera.not_found', 'camera.in_use', 'camera.robot_enabled', 'job.too_many'],
  })

const inUse = ([user]: readonly { readonly id: string }[]): Fault | undefined =>
  user &&
  fault(
    'camera.in_use',
    oneLine`
      the stream ${user.id} has the camera; send "hold_stream": true to have it paused meanwhile, or switch it off first
    `,
  )
