// Field maps that the user has put into the data directory.
import type { Fault } from '../../machines/errors/fault.ts'
import type { FieldMap } from '../../machines/localization/field-map.ts'
import { token } from '../../machines/token.ts'

/** Synchronous: a few small files, read again only when they changed. A file that cannot be used is a fault beside the maps that can. */
export interface FieldMapsPort {
  readonly read: () => { readonly maps: ReadonlyMap<string, FieldMap>; readonly faults: readonly Fault[] }
}

/** The maps that the user has put there. */
export const USER_MAPS = token<FieldMapsPort>('user-maps')
