// The row by which a field map is uploaded, in whichever of the known forms.
import { createHash } from 'node:crypto'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { fieldMapsChanged } from '../../machines/localization/events.ts'
import { FieldMap, type KeepMap } from '../../machines/localization/field-map.ts'
import type { MapHints } from '../../machines/localization/maps/map-draft.ts'
import { readFieldMap } from '../../machines/localization/maps/read-map.ts'
import { firstError } from '../../machines/schema/errors.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { slug } from '../../machines/schema/slug.ts'
import Type from '../../machines/schema/type.ts'
import type { FieldMapsPort } from '../../native/localization/port.ts'
import { upload } from '../endpoints/upload.ts'
import { OF_OTHERS, readJson } from '../json-body/read.ts'
import { fault } from '../problems/problem.ts'
import { aboutExample, summaryExample, tagExample, UploadedMap } from './map-wire.ts'

/** What the row works with. */
export interface UploadParts {
  readonly keep: KeepMap
  readonly files: Pick<FieldMapsPort, 'receive'>
}

const { id, name, length_m, width_m, family, tag_size_m } = FieldMap.properties

/** What the schema says in words: a pattern is explained by them. */
const wordsOf = (schema: object): string => (schema as { readonly description: string }).description
const [aboutId, aboutName] = [wordsOf(id), wordsOf(name)]

const query = {
  id: Type.Optional({ ...id, description: `${aboutId} Default: as the file says, else made of its name.` }),
  name: Type.Optional({ ...name, description: `${aboutName} Default: as the file says, else its id.` }),
  length_m: Type.Optional({ ...length_m, description: 'Of the field, for a .fmap that does not say it.' }),
  width_m: Type.Optional({ ...width_m, description: 'Of the field, for a .fmap that does not say it.' }),
  family: Type.Optional(family),
  tag_size_m: Type.Optional({ ...tag_size_m, description: "Of the tags, for WPILib's forms. Default: 0.1651." }),
  replace: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether a map of that id with another content is replaced.' }),
  ),
}

const example = { ...summaryExample, id: 'gym', name: 'Our gym', tags: [tagExample] }

export const uploadRow = ({ keep, files }: UploadParts) =>
  upload('POST', '/v1/localization/maps/upload', {
    summary: 'Upload a field map',
    about: oneLine`
      The body is the file: WPILib's AprilTag layout, its field file of 2027, a \`.fmap\` of the vendor's, or a document
      as \`GET /v1/localization/maps/{id}\` shows it. At most 1 MiB and 1000 tags; a device keeps 100 maps.
      \`family\` and \`tag_size_m\` are of the tags, for WPILib's forms; without them tag36h11 and 0.1651. It is on the
      disk when this answers. A map of that id with the same content is left as it is; with another, it is refused, or
      replaced where \`replace\` says so: streams that use it open their camera again. Built-in maps cannot be
      replaced. What is wrong with the file stands in \`errors\`, each with its place in it.`,
    query,
    mediaTypes: ['application/json', 'application/octet-stream'],
    described: { 'application/json': { schema: FieldMap, example } },
    upload: Buffer.from(JSON.stringify(example)),
    publishes: [fieldMapsChanged],
    answer: {
      status: 'created',
      schema: UploadedMap,
      example: {
        ...summaryExample,
        id: 'gym',
        name: 'Our gym',
        tag_count: 1,
        ...aboutExample,
        origin: 'uploaded',
        form: 'vedette',
        size_from: 'file',
      },
      location: (map: { readonly id: string }) => `/v1/localization/maps/${map.id}`,
    },
    take: async ({ query: { replace = false, ...told } }, bytes) => {
      const body = await files.receive(bytes)
      if (isFault(body)) return body
      const json = readJson(body, OF_OTHERS)
      return isFault(json) ? json : take(json.value, told, (map) => keep(map, replace))
    },
    faults: [
      ...(['body.malformed', 'map.invalid', 'map.exists', 'map.too_many', 'storage.full', 'storage.failed'] as const),
    ],
  })

const take = async (
  json: unknown,
  told: Omit<MapHints, 'names'>,
  keep: (map: FieldMap) => ReturnType<KeepMap>,
): Promise<object | Fault> => {
  const read = readFieldMap(json, { ...told, names: namesFor(json, told) })
  if (!read.ok) return fault('map.invalid', firstError(read.errors, 'the file'), { errors: read.errors })
  const { map, form, sizeFrom } = read
  const kept = await keep(map)
  if (isFault(kept)) return kept
  const { tags, ...rest } = map
  const warnings = [...new Set([...read.warnings, ...kept.warnings])]
  return { ...rest, tag_count: tags.length, ...kept, warnings, form, size_from: sizeFrom }
}

const MAX_ID_LENGTH = 60

/** For a file that says none: made of the name that is told, or that it says. */
const namesFor = (json: unknown, told: { readonly id?: string; readonly name?: string }): MapHints['names'] => {
  const said = (json as { readonly name?: unknown } | null)?.name
  const shown = told.name ?? (typeof said === 'string' ? said : 'map')
  const made = slug(shown, MAX_ID_LENGTH).replace(/^[-_]+/, '') || `map-${shortHash(shown)}`
  return { id: told.id ?? made, name: shown }
}

/** Of a name without a letter for ids: another name has another one, and the same name the same. */
const shortHash = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 8)
