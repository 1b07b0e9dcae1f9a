// What is set of localization, with the maps and poses that it is worth nothing without, as one document: to be kept,
// and to be taken to another device.
import type { Static } from 'typebox'
import { LocalizationConfig, SentLocalizationConfig } from '../localization/config.ts'
import { ExternalSourceId } from '../localization/external/names.ts'
import { ExternalSource, MAX_EXTERNAL_SOURCES, SentExternalSource } from '../localization/external/source.ts'
import { FieldMap } from '../localization/field-map.ts'
import { MAX_IMPORTED_MAPS } from '../localization/maps/imported.ts'
import { PoseDocument } from '../localization/pose.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'
import { LayoutUid } from './layout.ts'
import { RobotDimensions } from './robot.ts'

const strict = { additionalProperties: false } as const

/** Says what a document is. */
export const PROFILE_FORMAT = 'vedette-localization'
/** Of the form. There is no older one yet; a newer one is refused. */
export const PROFILE_VERSION = 1

const Lens = Type.Object(
  {
    width: Type.Integer({ minimum: 1, maximum: 8192, description: 'Pixels.' }),
    height: Type.Integer({ minimum: 1, maximum: 8192, description: 'Pixels.' }),
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 hex digits. SHA-256 of its parameters.' }),
  },
  { ...strict, title: 'ProfileLens', description: 'The lens that a camera was calibrated with.' },
)

const ProfileCamera = Type.Object(
  {
    camera_uid: LayoutUid,
    stream_id: Type.Union([StreamId, Type.Null()], { description: 'The stream that had it; null: none.' }),
    name: Type.String({ maxLength: 200, description: 'For people.' }),
    pose: Type.Union([PoseDocument, Type.Null()], {
      description: 'Of the camera body in the robot frame; null: nobody has said.',
    }),
    lens: Type.Union([Lens, Type.Null()], { description: 'null: it was not calibrated.' }),
  },
  { ...strict, title: 'ProfileCamera', description: 'A camera, and where it sits on the robot.' },
)

const { length_m, width_m, height_m } = RobotDimensions.properties
const Robot = Type.Object(
  { length_m: Type.Optional(length_m), width_m: Type.Optional(width_m), height_m: Type.Optional(height_m) },
  { ...strict, title: 'ProfileRobot', description: 'How large the robot is, as far as somebody has said.' },
)

const Rig = Type.Object(
  { robot: Robot, cameras: Type.Array(ProfileCamera, { maxItems: 64 }) },
  { ...strict, title: 'ProfileRig', description: 'The robot and its cameras.' },
)

const maps = Type.Array(FieldMap, {
  maxItems: MAX_IMPORTED_MAPS,
  description: 'Whole; those that every device has are left out.',
})

const Source = Type.Object(
  { id: ExternalSourceId, spec: ExternalSource },
  { ...strict, title: 'ProfileSource', description: 'A source outside of the service.' },
)
const SentSource = Type.Object(
  { id: ExternalSourceId, spec: SentExternalSource },
  { ...strict, title: 'ProfileSourceInput', description: 'A source outside of the service.' },
)

const Content = Type.Object(
  { config: LocalizationConfig, maps, rig: Rig, sources: Type.Array(Source, { maxItems: MAX_EXTERNAL_SOURCES }) },
  { ...strict, title: 'ProfileContent', description: 'What is set.' },
)
const SentContent = Type.Object(
  {
    config: SentLocalizationConfig,
    maps,
    rig: Rig,
    sources: Type.Array(SentSource, { maxItems: MAX_EXTERNAL_SOURCES }),
  },
  { ...strict, title: 'ProfileContentInput', description: 'What is to be set.' },
)
export type ProfileContent = Static<typeof Content>
export type SentContent = Static<typeof SentContent>

const Revision = Type.Integer({ minimum: 0 })

const envelope = {
  format: Type.Literal(PROFILE_FORMAT),
  version: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Of this form.' }),
  exported_at_ms: Type.Number({ description: 'Unix time.' }),
  device_id: Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
    description: 'Of the device that it comes from; null: it has none.',
  }),
  service: Type.String({ maxLength: 200, description: 'The version of the service that wrote it.' }),
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: '64 hex digits. Of the content as JSON without blanks, the keys of each object sorted.',
  }),
}

const revisions = Type.Object(
  { config: Revision, rig: Revision, sources: Revision },
  { ...strict, title: 'ProfileRevisions', description: 'Of what it was taken from.' },
)

/** As it is exported. */
export const Profile = Type.Object(
  { ...envelope, content: Content, revisions },
  { ...strict, title: 'LocalizationProfile', description: 'Localization and rig of a device, in one document.' },
)

/** As it is taken; what has a default in its parts may be left out. */
export const SentProfile = Type.Object(
  { ...envelope, content: SentContent, revisions: Type.Optional(revisions) },
  { ...strict, title: 'LocalizationProfileInput', description: 'Localization and rig of a device, in one document.' },
)
export type SentProfile = Static<typeof SentProfile>
