// Reads the maps of the user, and tells of each file that cannot be used: once for as long as that is so.
import type { Fault } from '../../machines/errors/fault.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import type { FieldMap, MapAbout, PresentMaps } from '../../machines/localization/field-map.ts'
import { builtInMaps } from '../../machines/localization/maps/built-in.ts'
import { symmetryWarnings } from '../../machines/localization/maps/symmetry.ts'
import type { StoredValue } from '../../machines/settings/store.ts'
import type { FieldMapsPort, FoundMaps } from '../../native/localization/port.ts'

/** What it works with. */
export interface MapReaderParts {
  readonly files: FieldMapsPort
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  readonly onBug: OnBug
  /** Those that came with a profile and are no files yet; the same object for as long as they are the same. */
  readonly imported: () => Readonly<Record<string, StoredValue<FieldMap>>>
}

const BUILT_IN: ReadonlyMap<string, FieldMap> = new Map(builtInMaps.map((map) => [map.id, map]))

const FOLDER = /^maps\/?/ // as resources name it

/** What is known of the maps is kept in memory, so that opening a stream waits for no disk. */
export class MapReader {
  /** Told when there are others than at the previous look; what is found at the first is no news. */
  readonly news: Listeners<void>
  readonly #parts: MapReaderParts
  readonly #builtIn: ReadonlyMap<string, MapAbout>
  #found: FoundMaps = { maps: new Map(), about: new Map(), faults: [] }
  #maps: ReadonlyMap<string, FieldMap> = BUILT_IN
  #stamp: string | undefined
  #imported: Readonly<Record<string, StoredValue<FieldMap>>> = {}
  #withImported: ReadonlyMap<string, FieldMap> | undefined
  #lastLook: Promise<unknown> = Promise.resolve()

  constructor(parts: MapReaderParts) {
    this.#parts = parts
    this.news = new Listeners(parts.onBug)
    this.#builtIn = new Map(
      builtInMaps.map((map) => [
        map.id,
        { hash: parts.files.hash(map), origin: 'built_in', warnings: symmetryWarnings(map) },
      ]),
    )
  }

  /** The built-in ones and those that can be used, by id, as they were at the last look. */
  maps(): ReadonlyMap<string, FieldMap> {
    const imported = this.#parts.imported()
    if (imported !== this.#imported || !this.#withImported) {
      this.#imported = imported
      this.#withImported = new Map([
        ...this.#maps,
        ...Object.entries(imported).map(([id, { value }]) => [id, value] as const),
      ])
    }
    return this.#withImported
  }

  /** Reads them where something may have changed, one look after the other. */
  look(): Promise<PresentMaps> {
    const look = this.#lastLook.then(() => this.#look())
    this.#lastLook = look.catch(() => {}) // one that fails is told to who asked, and ends none that follow
    return look
  }

  async #look(): Promise<PresentMaps> {
    const waiting = Object.entries(this.#parts.imported()).map(([id, { revision }]) => [id, revision])
    const stamp = JSON.stringify([waiting, await this.#parts.files.stamp()])
    if (stamp !== this.#stamp) {
      const isFirst = this.#stamp === undefined
      this.#stamp = stamp
      this.#keep(await this.#parts.files.read())
      if (!isFirst) this.news.notify()
    }
    const { faults } = this.#found
    const about = [...this.#found.about, ...this.#aboutImported()]
    const leftOut = faults.map(({ resource = '', detail }) => ({ file: resource.replace(FOLDER, ''), detail }))
    return { maps: this.maps(), about: new Map([...this.#builtIn, ...about]), leftOut }
  }

  #aboutImported(): readonly (readonly [string, MapAbout])[] {
    const { hash } = this.#parts.files
    return Object.entries(this.#parts.imported()).map(([id, { value }]) => [
      id,
      { hash: hash(value), origin: 'uploaded', warnings: symmetryWarnings(value) },
    ])
  }

  #keep(found: FoundMaps): void {
    const told = new Map(this.#found.faults.map(({ resource, detail }) => [resource, detail]))
    this.#found = found
    this.#maps = new Map([...BUILT_IN, ...found.maps])
    this.#withImported = undefined
    for (const fault of found.faults) if (told.get(fault.resource) !== fault.detail) this.#parts.record(fault)
  }
}
