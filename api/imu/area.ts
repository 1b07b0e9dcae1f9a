// The IMU: what it says, how it sits on the robot, and its bias.
import { DIRECTORY } from '../../actors/directory.ts'
import { BIAS_WORK, IMU_VIEW } from '../../actors/imu/tokens.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { imuChanged, imuSettingsChanged } from '../../machines/imu/events.ts'
import { isMountName, namedMount, nameOfMount } from '../../machines/imu/mount.ts'
import { IMU_DOCUMENT, imuCollection, imuSettingsIn } from '../../machines/imu/settings-collection.ts'
import { jobChanged } from '../../machines/jobs/events.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { mergeOrder } from '../../machines/settings/commit.ts'
import type { Given } from '../../machines/token.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { jobAnswer, jobNeeds } from '../jobs/answer.ts'
import { fault, invalidBody } from '../problems/problem.ts'
import { BiasRequest, BiasResult, biasDurationOf, ImuChange, ImuDocument, imuExample } from './wire.ts'

const needs = { ...jobNeeds, directory: DIRECTORY, view: IMU_VIEW, work: BIAS_WORK }

const BIAS_KIND = 'imu_bias'

export const imuArea = areaOf(needs, (parts) =>
  area('imu', 'The gyroscope and accelerometer of the device.', [
    read('GET', '/v1/device/imu', {
      summary: 'Readings and state of the IMU',
      about: oneLine`
        Cheap: it may be asked for ten times in a second. \`${imuChanged.kind}\` tells when the state is another. Where
        there is none the answer says where it was looked for; it is looked for again every five seconds. Robot axes: x
        forward, y left, z up, turns counter-clockwise.
      `,
      answer: ImuDocument,
      example: imuExample,
      get: () => absence(parts) ?? imuDocument(parts),
      faults: ['imu.not_found', 'actor.unavailable'],
    }),

    command('PATCH', '/v1/device/imu', {
      summary: 'Set how the IMU is read, and how it sits on the robot',
      about: oneLine`
        In force at once: another IMU or another rate opens it again, and another mount begins at yaw 0. Switched off it
        is not looked for. Answers also where there is none.
      `,
      conditional: true,
      publishes: [imuSettingsChanged, imuChanged],
      to: 'settings',
      body: { schema: ImuChange, example: { rate_hz: 400, mount: 'x_left_z_up' } },
      send: ({ body, expected }) => {
        const { mount, ...rest } = body
        const flaw = flawOfChoice(parts, body.imu)
        if (flaw) return flaw
        const patch = mount === undefined ? rest : { ...rest, mount: isMountName(mount) ? namedMount(mount) : mount }
        return mergeOrder(imuCollection, IMU_DOCUMENT, patch, expected)
      },
      answer: { schema: ImuDocument, example: imuExample, of: () => imuDocument(parts) },
    }),

    command('POST', '/v1/device/imu/bias', {
      summary: 'Measure what the gyroscope says at rest',
      about: oneLine`
        A job: put the robot down and leave it alone until it is done. It fails with \`imu.moved\` as soon as it moves,
        and with \`imu.not_running\` where nothing is read; then nothing is changed. What was measured is kept and taken
        off from then on, and yaw begins at 0 again.
      `,
      to: 'job-keeper',
      publishes: [jobChanged],
      body: { schema: BiasRequest, example: { duration_s: 5 }, optional: true },
      send: ({ body }): Fault | ReturnType<typeof parts.jobs.order> =>
        absence(parts) ??
        switchedOff(parts) ??
        parts.jobs.order({ kind: BIAS_KIND, resource_ref: {}, work: parts.work(biasDurationOf(body)) }),
      answer: jobAnswer({
        jobs: parts.jobs,
        kind: BIAS_KIND,
        title: 'ImuBiasJob',
        result: BiasResult,
        resource_ref: {},
        status: 'created',
      }),
      faults: ['job.too_many', 'imu.not_found', 'imu.not_running'],
    }),
  ]),
)

type Parts = Given<typeof needs>

/** Why there is nothing to tell of; null: there is something, be it an IMU that is not used. */
const absence = ({ view }: Parts): Fault | null => {
  const { imus, looked_for } = view.found
  if (view.state === 'looking' && looked_for.length === 0)
    return fault('actor.unavailable', 'the IMU is being looked for the first time; try again in a second')
  if (imus.length > 0 || (view.state !== 'absent' && view.state !== 'looking')) return null
  return fault('imu.not_found', ['No IMU was found.', ...looked_for].join(' '), { context: { looked_for } })
}

/** Why that one cannot be chosen; null: it can. */
const flawOfChoice = ({ view, directory }: Parts, imu: string | null | undefined): Fault | null => {
  if (typeof imu !== 'string' || imu === imuSettingsIn(directory.settings).value.imu) return null
  const found = view.found.imus.find(({ id }) => id === imu)
  if (found?.detail === null) return null
  const ids = view.found.imus.flatMap(({ id, detail }) => (detail === null ? JSON.stringify(id) : [])).join(', ')
  const message = found
    ? `cannot be ${JSON.stringify(imu)}: ${found.detail}`
    : `must be null, for the best, or the id of one that was found (${ids || 'none was'})`
  return invalidBody({ pointer: '/imu', message })
}

const switchedOff = ({ view }: Parts): Fault | null =>
  view.state === 'off' ? fault('imu.not_running', 'the IMU is switched off; set `enabled` and try again') : null

const imuDocument = ({ view, directory }: Parts): ImuDocument => {
  const { revision, value } = imuSettingsIn(directory.settings)
  return { revision, settings: value, mount_name: nameOfMount(value.mount), ...view.status() }
}
