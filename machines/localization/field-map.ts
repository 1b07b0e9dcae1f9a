// Field maps: where the tags are. The built-in one belongs to the demo; more are files in the data directory.
import type { Static } from 'typebox'
import { TagFamilyName } from '../engine/tag-families.ts'
import type { Fault } from '../errors/fault.ts'
import { Name } from '../schema/name.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { token } from '../token.ts'
import { PoseDocument } from './pose.ts'

const strict = { additionalProperties: false } as const

const SIZE = 'Edge of the square that the corners of its family mark: the black one, or the white one within black.'
const TagSize = Type.Number({ exclusiveMinimum: 0, maximum: 10, description: SIZE })

/** A tag of a map. */
export const FieldTag = Type.Object(
  {
    id: Type.Integer({ minimum: 0, maximum: 100_000 }),
    family: Type.Optional(TagFamilyName),
    size_m: Type.Optional(TagSize),
    pose: PoseDocument,
  },
  {
    ...strict,
    title: 'FieldTag',
    description: oneLine`
      A tag, and its pose on the field: x out of the printed face, y to the left of that, z up. It is of the map's
      family and size unless it says otherwise.`,
  },
)
export type FieldTag = Static<typeof FieldTag>

/** A thousand tags in WPILib's wordy form are 400 kB. */
export const MAX_MAP_BYTES = 1_048_576

/** Files are read up to that. */
export const MAX_MAP_FILES = 100

/** An official field has 32. */
export const MAX_TAGS = 1000

/**
 * A tag's pose is in the field frame, with x out of the printed face, y to the left of that, z up. tag_size_m: edge of
 * the square that its corners mark.
 */
export const FieldMap = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,59}$',
      description: '1 to 60 lower-case letters, digits, - and _, beginning with a letter or digit.',
      examples: ['demo'],
    }),
    name: Name(120, 'A name for people.'),
    length_m: Type.Number({ exclusiveMinimum: 0, maximum: 1000, description: 'Of the field, along x.' }),
    width_m: Type.Number({ exclusiveMinimum: 0, maximum: 1000, description: 'Of the field, along y.' }),
    family: TagFamilyName,
    tag_size_m: TagSize,
    tags: Type.Array(FieldTag, { maxItems: MAX_TAGS }),
  },
  {
    ...strict,
    title: 'FieldMapInput',
    description:
      'Where the tags are on a field; its frame has the origin at the blue corner, x towards the red wall, z up.',
  },
)
export type FieldMap = Static<typeof FieldMap>

/** For the moment in which a stream's map is missing; the stream itself says so. */
export const EMPTY_MAP: FieldMap = {
  id: 'none',
  name: 'none',
  length_m: 1,
  width_m: 1,
  family: 'tag36h11',
  tag_size_m: 0.1651,
  tags: [],
}

/** All known field maps by id: the built-in one and the ones in the data directory, as they were when last read. */
export type FieldMaps = () => ReadonlyMap<string, FieldMap>

export const FIELD_MAPS = token<FieldMaps>('field-maps')

/** Who brought a map. */
export const MapOrigin = Type.Enum(['built_in', 'uploaded', 'file'], {
  title: 'FieldMapOrigin',
  description: oneLine`
    \`built_in\`: the service. \`uploaded\`: who uploaded it. \`file\`: who put it into the folder of the maps, or has
    changed it there.`,
})
export type MapOrigin = Static<typeof MapOrigin>

/** What is told of a map beside its content. */
export interface MapAbout {
  /** Of its content: equal for equal maps, whatever they are called. */
  readonly hash: string
  readonly origin: MapOrigin
  /** Sentences about what is odd in it. */
  readonly warnings: readonly string[]
}

/** The hash of the content of a map; of one that is known it is known, too. */
export type MapHash = (map: FieldMap) => string

export const MAP_HASH = token<MapHash>('map-hash')

/**
 * Keeps a map that was uploaded, and answers with what is told of it. One that is there already with this content is
 * left as it is; one with another content is replaced only when that is said.
 */
export type KeepMap = (map: FieldMap, isReplacing: boolean) => Promise<MapAbout | Fault>

export const KEEP_MAP = token<KeepMap>('keep-map')

/** Told when there are other maps than before. */
export interface MapNews {
  /** Returns the way to stop listening. */
  readonly add: (listener: () => void) => () => void
}

export const MAP_NEWS = token<MapNews>('map-news')

/** A file that shall be a map and is none. */
export const LeftOutMap = Type.Object(
  {
    file: Type.String({
      description: 'Its name, in the folder `maps` of the data directory; empty: the folder itself.',
    }),
    detail: Type.String({ description: 'Why, as a sentence.' }),
  },
  { ...strict, title: 'LeftOutMap', description: 'A file that shall be a field map and cannot be used.' },
)
export type LeftOutMap = Static<typeof LeftOutMap>

/** What is in the data directory. */
export interface PresentMaps {
  /** All that are known. */
  readonly maps: ReadonlyMap<string, FieldMap>
  /** What is told of each of these, by the same ids. */
  readonly about: ReadonlyMap<string, MapAbout>
  /** All files that shall be maps and are none. */
  readonly leftOut: readonly LeftOutMap[]
}

/** Looks at the data directory, and answers when that is done. */
export type LookForMaps = () => Promise<PresentMaps>

export const LOOK_FOR_MAPS = token<LookForMaps>('look-for-maps')

/** FRC prints its tags at 6.5 inches. */
export const FRC_TAG_SIZE_M = 0.1651

const LENGTH_M = 16.54
const WIDTH_M = 8.07
const HEIGHT_M = 1.2
const HALF_PAIR_M = 0.3

/** Two tags side by side, 0.6 m apart, facing along yaw_deg. */
const pair = (id: number, x_m: number, y_m: number, yaw_deg: number) => {
  const yaw = (yaw_deg * Math.PI) / 180
  return [-1, 1].map((side, n) => ({
    id: id + n,
    pose: {
      x_m: x_m - side * HALF_PAIR_M * Math.sin(yaw),
      y_m: y_m + side * HALF_PAIR_M * Math.cos(yaw),
      z_m: HEIGHT_M,
      roll_deg: 0,
      pitch_deg: 0,
      yaw_deg,
    },
  }))
}

/** The demo's field: pairs of tags on all four walls, so that a robot that looks along the field sees two or more. */
export const demoMap: FieldMap = {
  id: 'demo',
  name: 'Demo field',
  length_m: LENGTH_M,
  width_m: WIDTH_M,
  family: 'tag36h11',
  tag_size_m: FRC_TAG_SIZE_M,
  tags: [
    ...pair(1, 0, WIDTH_M / 4, 0),
    ...pair(3, 0, (WIDTH_M * 3) / 4, 0),
    ...pair(5, LENGTH_M, WIDTH_M / 4, 180),
    ...pair(7, LENGTH_M, (WIDTH_M * 3) / 4, 180),
    ...pair(9, LENGTH_M / 4, 0, 90),
    ...pair(11, (LENGTH_M * 3) / 4, 0, 90),
    ...pair(13, LENGTH_M / 4, WIDTH_M, -90),
    ...pair(15, (LENGTH_M * 3) / 4, WIDTH_M, -90),
    ...pair(17, LENGTH_M / 2, 0, 90),
    ...pair(19, LENGTH_M / 2, WIDTH_M, -90),
  ],
}
