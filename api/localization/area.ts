// Localization: the field maps, and how all cameras are solved together.

import { FieldMap, LeftOutMap, LOOK_FOR_MAPS } from '../../machines/localization/field-map.ts'
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
import { solveNeeds, solveRow } from './solve.ts'
import { sourceNeeds, sourceRow } from './sources.ts'

const strict = { additionalProperties: false } as const
const { tags: _tags, ...summaryFields } = FieldMap.properties

const MapSummary = Type.Object(
  { ...summaryFields, tag_count: Type.Integer({ minimum: 0, description: 'How many tags it has.' }) },
  { ...strict, title: 'FieldMapSummary', description: 'A field map without its tags.' },
)

const HOW_TO_ADD =
  "Put a .json file into the folder `maps` of the data directory: WPILib's AprilTag layout as it is (named after the " +
  'file), or a document as /v1/localization/maps/{id} shows it. It is there at the next request; streams use it when ' +
  'they next open their camera. A file that cannot be used stands in `left_out`, with the reason.'

const summaryExample = {
  id: 'demo',
  name: 'Demo field',
  length_m: 16.54,
  width_m: 8.07,
  family: 'tag36h11',
  tag_size_m: 0.1651,
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

    list('GET', '/v1/localization/maps', {
      name: 'FieldMapList',
      isLasting: true,
      summary: 'All field maps',
      order: 'The built-in one first.',
      item: MapSummary,
      example: { ...summaryExample, tag_count: 16 },
      items: async () =>
        [...(await look()).maps.values()].map(({ tags, ...rest }) => ({ ...rest, tag_count: tags.length })),
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
      answer: FieldMap,
      example: { ...summaryExample, tags: [tagExample] },
      get: async ({ params }) =>
        (await look()).maps.get(params.id) ??
        fault(
          'map.not_found',
          `there is no field map ${JSON.stringify(params.id)}; GET /v1/localization/maps lists them`,
        ),
      faults: ['map.not_found'],
    }),
  ]),
)
