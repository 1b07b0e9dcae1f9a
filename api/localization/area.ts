// Localization: the field maps.
import { FieldMap, KEEP_MAP, LeftOutMap, LOOK_FOR_MAPS, type MapAbout } from '../../machines/localization/field-map.ts'
import { exportMap } from '../../machines/localization/maps/export-map.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { USER_MAPS } from '../../native/localization/port.ts'
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { list } from '../endpoints/list.ts'
import { read } from '../endpoints/read.ts'
import { fault } from '../problems/problem.ts'
import { capabilitiesRow } from './capabilities.ts'
import { configNeeds, configRows } from './config.ts'
import { externalNeeds, externalRows } from './external.ts'
import {
  aboutExample,
  ExportedMap,
  HOW_TO_ADD,
  MapFormName,
  MapSummary,
  summaryExample,
  tagExample,
} from './map-wire.ts'
import { outputNeeds, outputRows } from './outputs.ts'
import { profileNeeds, profileRows } from './profiles.ts'
import { solveNeeds, solveRow } from './solve.ts'
import { sourceNeeds, sourceRow } from './sources.ts'
import { surveyNeeds, surveyRows } from './surveys.ts'
import { uploadRow } from './upload.ts'

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
  ...profileNeeds,
  ...surveyNeeds,
  look: LOOK_FOR_MAPS,
  keep: KEEP_MAP,
  files: USER_MAPS,
}

export const localizationArea = areaOf(needs, ({ look, ...parts }) =>
  area('localization', 'Where the tags are, and where the robot is by all cameras together.', [
    capabilitiesRow(),

    ...configRows({ ...parts, look }),

    solveRow(parts),

    sourceRow(parts),

    ...outputRows(parts),

    ...externalRows(parts),

    ...profileRows({ ...parts, look }),

    ...surveyRows({ ...parts, look }),

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
      about: oneLine`
          \`format\`: the form in which it is answered, by default ours. WPILib's forms do not say which tags are
          printed, and how large.`,
      query: {
        format: Type.Optional(MapFormName),
      },
      isLasting: true,
      answer: ExportedMap,
      example: { ...summaryExample, tags: [tagExample], ...aboutExample },
      get: async ({ params, query: { format = 'vedette' } }) => {
        const { maps, about } = await look()
        const map = maps.get(params.id)
        if (map && format !== 'vedette') return exportMap(map, format)
        if (map) return { ...map, ...about.get(map.id) }
        const detail = `there is no field map ${JSON.stringify(params.id)}; GET /v1/localization/maps lists them`
        return fault('map.not_found', detail)
      },
      faults: ['map.not_found'],
    }),

    uploadRow(parts),
  ]),
)
