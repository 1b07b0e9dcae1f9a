// Field maps that nobody has put into a folder.
import type { Fault } from '../../machines/errors/fault.ts'
import type { FieldMap } from '../../machines/localization/field-map.ts'
import type { FieldMapsPort } from './port.ts'

export class FakeFieldMaps implements FieldMapsPort {
  /** Those that there are, by id. */
  readonly maps = new Map<string, FieldMap>()
  /** What is wrong with others. */
  faults: readonly Fault[] = []

  readonly read = async () => ({ maps: this.maps, faults: this.faults })

  readonly stamp = async () => JSON.stringify([[...this.maps], this.faults])
}
