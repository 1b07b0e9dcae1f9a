// Reads the maps of the user, and tells of each file that cannot be used: once for as long as that is so.
import type { Fault } from '../../machines/errors/fault.ts'
import type { FieldMap, LeftOutMap } from '../../machines/localization/field-map.ts'
import type { FieldMapsPort, FoundMaps } from '../../native/localization/port.ts'

/** What it works with. */
export interface MapReaderParts {
  readonly files: FieldMapsPort
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

const FOLDER = /^maps\/?/ // as resources name it

export class MapReader {
  readonly #parts: MapReaderParts
  /** Why each was left out at the last look, by its resource. */
  #told: ReadonlyMap<string, string> = new Map()
  #stamp = ''

  constructor(parts: MapReaderParts) {
    this.#parts = parts
  }

  /** Those that can be used, by id. */
  maps(): ReadonlyMap<string, FieldMap> {
    return this.#read().maps
  }

  /** Those that cannot. */
  leftOut(): readonly LeftOutMap[] {
    return this.#read().faults.map(({ resource = '', detail }) => ({ file: resource.replace(FOLDER, ''), detail }))
  }

  /** Reads them where something may have changed. */
  async look(): Promise<void> {
    const stamp = await this.#parts.files.stamp()
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    this.#read()
  }

  #read(): FoundMaps {
    const found = this.#parts.files.read()
    const before = this.#told
    this.#told = new Map(found.faults.map(({ resource = '', detail }) => [resource, detail]))
    for (const fault of found.faults) if (before.get(fault.resource ?? '') !== fault.detail) this.#parts.record(fault)
    return found
  }
}
