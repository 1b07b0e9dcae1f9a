// The units that this device has ever had, as they are stored: by which keys each is known again, and what belongs to
// the unit, not to its role.
import type { Static } from 'typebox'
import { withDefault } from '../schema/defaults.ts'
import { quote } from '../schema/quote.ts'
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { cameraChanged } from './events.ts'
import { CameraUid } from './mode.ts'

const Key = Type.String({ minLength: 1, maxLength: 1024 })

/**
 * A unit.
 *
 * controls: what a user has set, by the number of the driver; written whenever the camera is opened. device: where it
 * was found last. claim: rises when a user says that a camera is this unit; of two that fit, the higher one is it.
 */
export const CameraUnit = Type.Object(
  {
    camera_uid: CameraUid,
    name: Type.String({ minLength: 1, maxLength: 200 }),
    port_key: Key,
    unit_key: Type.Union([Key, Type.Null()]),
    model_key: Key,
    device: Type.String({ minLength: 1, maxLength: 4096 }),
    controls: Type.Array(
      Type.Object(
        { id: Type.Integer({ minimum: 0, maximum: 4_294_967_295 }), value: Type.Integer() },
        { additionalProperties: false },
      ),
      { maxItems: 128 },
    ),
    claim: withDefault(Type.Integer({ minimum: 0 }), 0),
  },
  { additionalProperties: false },
)
export type CameraUnit = Static<typeof CameraUnit>

/** More than anybody plugs in: what was not used for longest makes room. */
export const MAX_UNITS = 64

/** All units, in the order in which they were met. */
export const cameraCollection = collection({
  name: 'cameras',
  id: CameraUid,
  schema: CameraUnit,
  limit: MAX_UNITS,
  changed: cameraChanged,
  notFound: (uid) => ({
    code: 'camera.not_found',
    detail: `there is no camera ${quote(uid)}; GET /v1/peripherals/cameras lists them`,
  }),
  check: ({ camera_uid }, id) =>
    camera_uid === id ? [] : [{ pointer: '/camera_uid', message: `is ${camera_uid} but it is stored as ${id}` }],
})

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** A name for a unit that has none, from at least 8 random bytes. */
export const uidFrom = (bytes: Uint8Array): string =>
  `cam-${Array.from(bytes.subarray(0, 8), (byte) => LETTERS[byte % LETTERS.length]).join('')}`
