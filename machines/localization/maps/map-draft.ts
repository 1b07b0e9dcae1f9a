// What the readers of the forms have in common: what they are given beside the file, and what they find in it.
import type { TagFamily } from '../../engine/tag-families.ts'
import type { SchemaError } from '../../schema/explain.ts'
import type { FieldMap } from '../field-map.ts'

/** The forms that can be read: our own, WPILib's up to 2026, WPILib's of 2027, and the vendor's `.fmap`. */
export const MAP_FORMS = ['vedette', 'wpilib', 'wpilib-2027', 'fmap'] as const
export type MapForm = (typeof MAP_FORMS)[number]

/** Where length and width of the field were taken from. */
export const SIZE_SOURCES = ['file', 'query', 'season'] as const
export type SizeSource = (typeof SIZE_SOURCES)[number]

/** What a map is called whose file does not say it: an id for paths, and a name for people. */
export interface MapNames {
  readonly id: string
  readonly name: string
}

/** What is known of a file beside its content. */
export interface MapHints {
  /** For what the file itself does not say. */
  readonly names: MapNames
  /** The id that it gets, whatever it says. */
  readonly id?: string
  /** The name that it gets, whatever it says. */
  readonly name?: string
  /** Of the field, for a form that does not say it. */
  readonly length_m?: number
  /** Of the field, for a form that does not say it. */
  readonly width_m?: number
  /** Of the tags, for a form that does not say it. */
  readonly family?: TagFamily
  /** Of the tags, for a form that does not say it. */
  readonly tag_size_m?: number
}

/** Where things stand in the document that was read: JSON pointers. */
export interface MapPlaces {
  /** The list of tags. */
  readonly tags: string
  /** The length of the field. */
  readonly length: string
  /** Both sides of the field. */
  readonly size: string
  /** The id of a tag, below its place in the list. */
  readonly id: string
  /** The pose of a tag, below its place in the list. */
  readonly pose: string
}

/** A map as a form says it; nothing of it contradicts its schema, but its parts may contradict each other. */
export interface MapDraft {
  /** In the order of the file, so that a place in the list is one in the file. */
  readonly map: FieldMap
  readonly places: MapPlaces
  readonly sizeFrom: SizeSource
  /** Sentences about what is odd in the file, and was read all the same. */
  readonly warnings: readonly string[]
  /** The hash that it had when it was uploaded, as the file says. */
  readonly uploadedAs?: unknown
}

/** A map, or what is wrong with the file. */
export type DraftRead = MapDraft | readonly SchemaError[]

export const isDraft = (read: DraftRead): read is MapDraft => 'places' in read
