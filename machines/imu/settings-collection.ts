// Where the settings of the IMU are stored, with its bias.
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { documentOf, type SettingsStore } from '../settings/store.ts'
import { imuSettingsChanged } from './events.ts'
import { DEFAULT_IMU_SETTINGS, type ImuBias, type ImuSettings, StoredImuSettings } from './settings.ts'

/** The id of the one document in the collection. */
export const IMU_DOCUMENT = 'settings'

/** The settings of the IMU; their defaults until somebody writes some. */
export const imuCollection = collection({
  name: 'imu',
  id: Type.Literal(IMU_DOCUMENT),
  schema: StoredImuSettings,
  limit: 1,
  changed: imuSettingsChanged,
  notFound: () => ({ code: 'document.unknown', detail: 'nobody has set anything of the IMU yet' }),
  blank: DEFAULT_IMU_SETTINGS,
})

/** What is stored. */
export interface ImuSettingsInForce {
  /** 0: nobody has changed anything. */
  readonly revision: number
  readonly value: ImuSettings
  /** Null: none was measured. */
  readonly bias: ImuBias | null
}

/** Those that are in force. */
export const imuSettingsIn = (store: SettingsStore): ImuSettingsInForce => {
  const { revision = 0, value } = documentOf(store, imuCollection, IMU_DOCUMENT) ?? {}
  const { bias = null, imu = null, ...rest } = { ...DEFAULT_IMU_SETTINGS, ...value }
  return { revision, value: { ...rest, imu }, bias }
}
