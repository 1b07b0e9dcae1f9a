// Field maps that the user has put into the data directory.
import type { Fault } from '../../machines/errors/fault.ts'
import type { FieldMap, MapAbout, MapHash } from '../../machines/localization/field-map.ts'
import { token } from '../../machines/token.ts'
import type { Arriving } from '../media/port.ts'

/** The maps that can be used, by id, and what is wrong with the other files. */
export interface FoundMaps {
  readonly maps: ReadonlyMap<string, FieldMap>
  /** What is told of each of these, by the same ids. */
  readonly about: ReadonlyMap<string, MapAbout>
  /** In which file each of these is, by the same ids. */
  readonly files: ReadonlyMap<string, string>
  /** Each of its file (`maps/field.json`), or of the folder (`maps`). */
  readonly faults: readonly Fault[]
}

/** A few small files, read again only when they changed. */
export interface FieldMapsPort {
  readonly read: () => Promise<FoundMaps>
  /** Another text whenever the next reading may find something else. */
  readonly stamp: () => Promise<string>
  /** Calls when the next stamp may be another, soon after that is so; returns the way to stop that. */
  readonly watch: (changed: () => void) => () => void
  /** Of any map. */
  readonly hash: MapHash
  /** The bytes of one that is sent, at most MAX_MAP_BYTES. */
  readonly receive: (bytes: Arriving) => Promise<Uint8Array | Fault>
  /**
   * Keeps a map that was uploaded: in the file that is named, which is replaced, else in one of its own. It is on the
   * disk whole when this answers nothing.
   */
  readonly store: (map: FieldMap, file: string | undefined) => Promise<Fault | undefined>
}

/** The maps that the user has put there. */
export const USER_MAPS = token<FieldMapsPort>('user-maps')
