// What is published about the IMU. Its readings are not: they come up to a thousand times in a second.
import { documentEvent, eventKind } from '../events/kind.ts'
import Type from '../schema/type.ts'
import { ImuState } from './state.ts'

/** The settings of the IMU, or its bias, were changed. */
export const imuSettingsChanged = documentEvent({
  kind: 'imu_settings_changed',
  about: 'The settings of the IMU were changed, or its bias was measured.',
  of: null,
})

/** How it stands with the IMU has changed. */
export const imuChanged = eventKind({
  kind: 'imu_changed',
  about: 'An IMU was found, runs, has failed or was switched off. Not published for readings.',
  reference: {},
  resource: 'GET /v1/device/imu',
  data: Type.Object(
    { state: ImuState },
    { additionalProperties: false, title: 'ImuNews', description: 'How it stands with the IMU now.' },
  ),
  revised: false,
  example: { resource_ref: {}, data: { state: 'running' } },
})
