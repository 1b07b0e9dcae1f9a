// Field maps as they are shown and sent.
import { FieldMap, MapOrigin } from '../../machines/localization/field-map.ts'
import { MAP_FORMS, SIZE_SOURCES } from '../../machines/localization/maps/map-draft.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'

const strict = { additionalProperties: false } as const
const { tags: _tags, ...summaryFields } = FieldMap.properties

const about = {
  hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: oneLine`
      64 hex digits. SHA-256 of length, width and tags, to 1e-6: the same for the same field, whatever the map is called
      and in whichever form it came.`,
  }),
  origin: MapOrigin,
  warnings: Type.Array(Type.String(), { description: 'Sentences about what is odd in it, though it can be used.' }),
}

/** A map in the list. */
export const MapSummary = Type.Object(
  { ...summaryFields, tag_count: Type.Integer({ minimum: 0, description: 'How many tags it has.' }), ...about },
  { ...strict, title: 'FieldMapSummary', description: 'A field map without its tags.' },
)

/** A map, whole. */
export const ShownMap = Type.Object(
  { ...FieldMap.properties, ...about },
  { ...strict, title: 'FieldMap', description: 'A field map, and what is told of it beside its content.' },
)

/** The forms in which a map can be had. */
export const MapFormName = Type.Enum([...MAP_FORMS], {
  title: 'FieldMapForm',
  description: oneLine`
    \`vedette\`: our own. \`wpilib\`: WPILib's AprilTag layout, as its releases up to 2026 have it. \`wpilib-2027\`:
    WPILib's field file of 2027. \`fmap\`: the vendor's.`,
})

/** What an upload answers with. */
export const UploadedMap = Type.Object(
  {
    ...MapSummary.properties,
    form: MapFormName,
    size_from: Type.Enum([...SIZE_SOURCES], {
      title: 'FieldSizeSource',
      description: oneLine`
        Where length and width were taken from. \`file\`: it says them. \`query\`: the query does. \`season\`: the
        tags hang as on an official field, or the file is of an FTC field.`,
    }),
  },
  { ...strict, title: 'UploadedFieldMap', description: 'A field map that is there now, and how it was read.' },
)

/** A map in the form that was asked for. */
export const ExportedMap = Type.Union(
  [
    ShownMap,
    Type.Record(Type.String(), Type.Unknown(), {
      description: "With `format`: a document of WPILib's or of the vendor's, as their programs read it.",
    }),
  ],
  { title: 'ExportedFieldMap', description: 'A field map in one of the forms.' },
)

/** How a map can be added, for people. */
export const HOW_TO_ADD = oneLine`
  Upload it by \`POST /v1/localization/maps/upload\`, or put a .json or .fmap file into the folder \`maps\` of the data
  directory: an AprilTag layout of WPILib's as it is, a field map of the vendor's (both are named after the file), or a
  document as /v1/localization/maps/{id} shows it. It is there at once, and streams that use it open their camera again.
  A file that cannot be used stands in \`left_out\`, with the reason.`

/** The summary of a map, without what is told of it. */
export const summaryExample = {
  id: 'demo',
  name: 'Demo field',
  length_m: 16.54,
  width_m: 8.07,
  family: 'tag36h11',
  tag_size_m: 0.1651,
}
/** What is told of it. */
export const aboutExample = {
  hash: '1f3a9c0d5b7e2f4861a3c5d7e9f10b2d4f6a8c0e1b3d5f7092a4c6e8f0a1b2c3',
  origin: 'built_in',
  warnings: [],
}
/** A tag of it. */
export const tagExample = { id: 1, pose: { x_m: 0, y_m: 2.3, z_m: 1.2, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 } }
