// Field maps that nobody has put into a folder.
import type { Fault } from '../../machines/errors/fault.ts'
import type { FieldMap, MapAbout } from '../../machines/localization/field-map.ts'
import { mapHash } from './map-hash.ts'
import type { FieldMapsPort } from './port.ts'
import { receiveMap } from './receive.ts'

export class FakeFieldMaps implements FieldMapsPort {
  /** Those that there are, by id. */
  readonly maps = new Map<string, FieldMap>()
  /** What is wrong with others. */
  faults: readonly Fault[] = []

  readonly #uploaded = new Set<string>()

  readonly hash = mapHash

  readonly receive = receiveMap

  /** What is wrong with the disk. */
  fault: Fault | null = null

  readonly store = async (map: FieldMap) => {
    if (this.fault) return this.fault
    this.maps.set(map.id, map)
    this.#uploaded.add(map.id)
    return undefined
  }

  readonly read = async () => ({
    maps: this.maps,
    about: new Map([...this.maps].map(([id, map]) => [id, this.#aboutOf(id, map)])),
    files: new Map([...this.maps.keys()].map((id) => [id, `${id}.json`])),
    faults: this.faults,
  })

  readonly #aboutOf = (id: string, map: FieldMap): MapAbout => ({
    hash: mapHash(map),
    origin: this.#uploaded.has(id) ? 'uploaded' : 'file',
    warnings: [],
  })

  /** Who asks looks. */
  readonly watch = () => () => {}

  readonly stamp = async () => JSON.stringify([[...this.maps], this.faults])
}
