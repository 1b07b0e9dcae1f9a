// Field maps that the user has put into the data directory.
import type { Fault } from '../../machines/errors/fault.ts'
import type { FieldMap, MapAbout, MapHash } from '../../machines/localization/field-map.ts'
import { token } from '../../machines/token.ts'

/** The maps that can be used, by id, and what is wrong with the other files. */
export interface FoundMaps {
  readonly maps: ReadonlyMap<string, FieldMap>
  /** What is told of each of these, by the same ids. */
  readonly about: ReadonlyMap<string, MapAbout>
  /** Each of its file (`maps/field.json`), or of the folder (`maps`). */
  readonly faults: readonly Fault[]
}

/** A few small files, read again only when they changed. */
export interface FieldMapsPort {
  readonly read: () => Promise<FoundMaps>
  /** Another text whenever the next reading may find something else. */
  readonly stamp: () => Promise<string>
  /** Keeps one as a file that says it was uploaded, in place of every other file of that id. Throws the disk's error. */
  readonly write: (map: FieldMap) => Promise<void>
  /** Of any map. */
  readonly hash: MapHash
}

/** The maps that the user has put there. */
export const USER_MAPS = token<FieldMapsPort>('user-maps')
