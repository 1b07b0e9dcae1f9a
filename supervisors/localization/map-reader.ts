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
  #found: FoundMaps = { maps: new Map(), about: new Map(), files: new Map(), faults: [] }
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

  /** Looks whenever a file has changed; returns the way to stop that. */
  watch(): () => void {
    return this.#parts.files.watch(() => void this.look().catch(this.#parts.onBug))
  }

  /** Keeps a map that was uploaded, unless there is another one of its id that is not to be replaced. */
  keep(map: FieldMap, isReplacing: boolean): Promise<MapAbout | Fault> {
    const keep = this.#lastLook.then(() => this.#keepUploaded(map, isReplacing))
    this.#lastLook = keep.catch(() => {})
    return keep
  }

  async #keepUploaded(map: FieldMap, isReplacing: boolean): Promise<MapAbout | Fault> {
    const { files } = this.#parts
    const { about } = await this.#look()
    const present = about.get(map.id)
    const isSame = present?.hash === files.hash(map)
    if (present && isSame && !(isReplacing && this.#maps.get(map.id)?.name !== map.name)) return present
    if (present && !(isReplacing && present.origin !== 'built_in')) return mapExists(map.id, present, files.hash(map))
    const fault = await files.store(map, this.#found.files.get(map.id))
    if (fault) return fault
    const kept = (await this.#look()).about.get(map.id)
    return kept ?? { code: 'storage.failed', detail: `the field map ${map.id} was stored and cannot be read again` }
  }

  /** Keeps one that came otherwise, in the place of the file that has its id; known by that when it is done. */
  store(map: FieldMap): Promise<Fault | undefined> {
    const stored = this.#lastLook.then(async () => {
      await this.#look()
      const fault = await this.#parts.files.store(map, this.#found.files.get(map.id))
      if (!fault) await this.#look()
      return fault
    })
    this.#lastLook = stored.catch(() => {})
    return stored
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

const mapExists = (id: string, { hash, origin }: MapAbout, other: string): Fault => ({
  code: 'map.exists',
  detail:
    origin === 'built_in'
      ? `the field map ${id} is built in, with another content, and cannot be replaced; upload it with another id`
      : `there is a field map ${id} with another content; upload it with another id, or with replace=true`,
  context: { id, hash, uploaded_hash: other },
})
