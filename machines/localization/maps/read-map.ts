// Reads a field map from a document in whichever of the known forms it is.
import { firstError } from '../../schema/errors.ts'
import type { SchemaError } from '../../schema/explain.ts'
import { kindOf } from '../../schema/sentence-parts.ts'
import type { FieldMap } from '../field-map.ts'
import { readFmap } from './fmap-form.ts'
import { type DraftRead, isDraft, type MapForm, type MapHints, type SizeSource } from './map-draft.ts'
import { flawsOf } from './map-flaws.ts'
import { readOwnForm } from './own-form.ts'
import { symmetryWarnings } from './symmetry.ts'
import { readFieldFile, readLayout } from './wpilib-form.ts'

/** A map that can be used, and how it was read. */
export interface ReadableMap {
  readonly ok: true
  readonly map: FieldMap
  readonly form: MapForm
  readonly sizeFrom: SizeSource
  /** Sentences about what is odd in the file, and was read all the same. */
  readonly warnings: readonly string[]
  /** The hash that it had when it was uploaded, as the file says. */
  readonly uploadedAs: unknown
}

/** What is wrong with the others. */
export interface UnreadableMap {
  readonly ok: false
  /** Each place in the document, and what is wrong there. */
  readonly errors: readonly SchemaError[]
  /** The first of them, as the end of a sentence. */
  readonly reason: string
}

export type ReadMap = ReadableMap | UnreadableMap

const READERS: Readonly<Record<MapForm, (json: object, hints: MapHints) => DraftRead>> = {
  vedette: readOwnForm,
  wpilib: readLayout,
  'wpilib-2027': readFieldFile,
  fmap: readFmap,
}

const FORM_NAMES: Readonly<Record<MapForm, string>> = {
  vedette: "Vedette's own form",
  wpilib: "WPILib's form",
  'wpilib-2027': "WPILib's form of 2027",
  fmap: 'the form .fmap',
}

/** Reads a map, and looks whether its parts fit each other. */
export const readFieldMap = (json: unknown, hints: MapHints): ReadMap => {
  const form = formOf(json)
  if (typeof form !== 'string') return unreadable([form], 'not a field map')
  const read = READERS[form](json as object, hints)
  if (!isDraft(read)) return unreadable(read, `not a field map in ${FORM_NAMES[form]}`)
  const flaws = flawsOf(read)
  if (flaws.length > 0) return unreadable(flaws, 'not a field map that can be used')
  const { map, sizeFrom, uploadedAs } = read
  const warnings = [...read.warnings, ...symmetryWarnings(map), ...unusedHints(map, sizeFrom, hints)]
  return { ok: true, map, form, sizeFrom, uploadedAs, warnings }
}

const unreadable = (errors: readonly SchemaError[], what: string): UnreadableMap => ({
  ok: false,
  errors,
  reason: `${what}: ${firstError(errors, 'the file')}`,
})

/** The forms are told apart by the keys that only they have. */
const formOf = (json: unknown): MapForm | SchemaError => {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return noForm(json)
  const has = (key: string) => Object.hasOwn(json, key)
  if ((has('tags') || has('field')) && has('field-tags'))
    return { pointer: '/field-tags', message: 'stands beside tags of another form; which of them are meant?' }
  if (has('field-tags') || has('field-dimensions')) return 'wpilib-2027'
  if (has('fiducials')) return has('tags') ? BOTH : 'fmap'
  if (has('field')) return 'wpilib'
  return has('tags') || has('length_m') || has('tag_size_m') ? 'vedette' : noForm(json)
}

const BOTH: SchemaError = { pointer: '/fiducials', message: 'stands beside tags of another form; which are meant?' }

const noForm = (json: unknown): SchemaError => ({
  pointer: '',
  message:
    `is in none of the four forms that are known: ${Object.values(FORM_NAMES).join(', ')}` +
    (typeof json === 'object' && json !== null && !Array.isArray(json)
      ? ''
      : `; it must be ${kindOf({ type: 'object' })}`),
})

/** Length and width that were told and not used, since the file has its own. */
const unusedHints = (map: FieldMap, sizeFrom: SizeSource, { length_m, width_m }: MapHints): readonly string[] => {
  const isOther = (told: number | undefined, used: number) => told !== undefined && told !== used
  if (sizeFrom === 'query' || !(isOther(length_m, map.length_m) || isOther(width_m, map.width_m))) return []
  return [`the file says that the field has ${map.length_m} x ${map.width_m} m; what the query says is not used`]
}
