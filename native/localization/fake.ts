// Field maps that nobody has put into a folder.
import type { Fault } from '../../machines/errors/fault.ts'
import type { FieldMap, MapAbout } from '../../machines/localization/field-map.ts'
import { mapHash } from './map-hash.ts'
import type { FieldMapsPort } from './port.ts'

const aboutFile = (map: FieldMap): MapAbout => ({ hash: mapHash(map), origin: 'file', warnings: [] })

export class FakeFieldMaps implements FieldMapsPort {
  /** Those that there are, by id. */
  readonly maps = new Map<string, FieldMap>()
  /** What is wrong with others. */
  faults: readonly Fault[] = []

  readonly hash = mapHash

  readonly write = async (map: FieldMap): Promise<void> => void this.maps.set(map.id, map)

  readonly read = async () => ({
    maps: this.maps,
    about: new Map([...this.maps].map(([id, map]) => [id, aboutFile(map)])),
    faults: this.faults,
  })

  readonly stamp = async () => JSON.stringify([[...this.maps], this.faults])
}
