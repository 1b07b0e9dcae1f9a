// What a map is called for people.
import { schemaErrors } from '../../schema/errors.ts'
import { FieldMap } from '../field-map.ts'
import type { MapHints } from './map-draft.ts'

/** The name that it shall have, else the one that the file says, else that of the file: the first that can be shown. */
export const chosenName = ({ id, name, names }: MapHints, said?: unknown): string =>
  [name, said, names.name].find(isNameOfMap) ?? id ?? names.id

const isNameOfMap = (name: unknown): name is string => schemaErrors(FieldMap.properties.name, name).length === 0
