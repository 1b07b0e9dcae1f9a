// Localization: the field maps.
import { FieldMap, LeftOutMap, LOOK_FOR_MAPS, type MapAbout, MapOrigin } from '../../machines/localization/field-map.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { list } from '../endpoints/list.ts'
import { read } from '../endpoints/read.ts'
import { fault } from '../problems/problem.ts'
import { capabilitiesRow } from './capabilities.ts'
import { configNeeds, configRows } from './config.ts'
import { externalNeeds, externalRows } from './external.ts'
import { outputNeeds, outputRows } from './outputs.ts'
import { profileNeeds, profileRows } from './profiles.ts'
import { solveNeeds, solveRow } from './solve.ts'
import { sourceNeeds, sourceRow } from './sources.ts'
import { surveyNeeds, surveyRows } from './surveys.ts'

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

const MapSummary = Type.Object(
  { ...summaryFields, tag_count: Type.Integer({ minimum: 0, description: 'How many tags it has.' }), ...about },
  { ...strict, title: 'FieldMapSummary', description: 'A field map without its tags.' },
)

const ShownMap = Type.Object(
  { ...FieldMap.properties, ...about },
  { ...strict, title: 'FieldMap', description: 'A field map, and what is told of it beside its content.' },
)

const HOW_TO_ADD = oneLine`
  Put a .json or .fmap file into the folder \`maps\` of the data directory: an AprilTag layout of WPILib's as it is, a
  field map of the vendor's (both are named after the file), or a document as /v1/localization/maps/{id} shows it. It is
  there at the next request. A file that cannot be used stands in \`left_out\`, with the reason.`

const summaryExample = {
  id: 'demo',
  name: 'Demo field',
  length_m: 16.54,
  width_m: 8.07,
  family: 'tag36h11',
  tag_size_m: 0.1651,
}
const aboutExample = {
  hash: '1f3a9c0d5b7e2f4861a3c5d7e9f10b2d4f6a8c0e1b3d5f7092a4c6e8f0a1b2c3',
  origin: 'built_in',
  warnings: [],
}
const tagExample = { id: 1, pose: { x_m: 0, y_m: 2.3, z_m: 1.2, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 } }

const leftOutExample = {
  file: 'practice.json',
  detail: 'The field map practice.json is left out: tag 7 stands in it twice; each id may be used once.',
}

const needs = {
  ...configNeeds,
  ...solveNeeds,
  ...outputNeeds,
  ...sourceNeeds,
  ...externalNeeds,
  ...surveyNeeds,
  ...profileNeeds,
  look: LOOK_FOR_MAPS,
}

export const localizationArea = areaOf(needs, ({ look, ...parts }) =>
  area('localization', 'Where the tags are, and where the robot is by all cameras together.', [
    capabilitiesRow(),

    ...configRows({ ...parts, look }),

    solveRow(parts),

    sourceRow(parts),

    ...outputRows(parts),

    ...externalRows(parts),

    ...surveyRows({ ...parts, look }),

    ...profileRows({ ...parts, look }),

    list('GET', '/v1/localization/maps', {
      name: 'FieldMapList',
      isLasting: true,
      summary: 'All field maps',
      order: 'The built-in ones first.',
      item: MapSummary,
      example: { ...summaryExample, tag_count: 16, ...aboutExample },
      items: async () => {
        const { maps, about } = await look()
        return [...maps.values()].map(({ tags, ...rest }) => ({
          ...rest,
          tag_count: tags.length,
          ...(about.get(rest.id) as MapAbout),
        }))
      },
      keyOf: ({ id }) => id,
      more: {
        properties: {
          how_to_add: Type.String({ description: 'A sentence for people.' }),
          left_out: Type.Array(LeftOutMap, {
            description: 'Files that shall be maps and cannot be used; the error history has them as well.',
          }),
        },
        example: { how_to_add: HOW_TO_ADD, left_out: [leftOutExample] },
        value: async () => ({ how_to_add: HOW_TO_ADD, left_out: (await look()).leftOut }),
      },
    }),

    read('GET', '/v1/localization/maps/:id', {
      params: { id: FieldMap.properties.id },
      summary: 'One field map',
      isLasting: true,
      answer: ShownMap,
      example: { ...summaryExample, tags: [tagExample], ...aboutExample },
      get: async ({ params }) => {
        const { maps, about } = await look()
        const map = maps.get(params.id)
        if (map) return { ...map, ...about.get(map.id) }
        const detail = `there is no field map ${JSON.stringify(params.id)}; GET /v1/localization/maps lists them`
        return fault('map.not_found', detail)
      },
      faults: ['map.not_found'],
    }),
  ]),
)
