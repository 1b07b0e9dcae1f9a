// The stream behind each of the robot's tables, by the present settings.
import { type TableClaim, tablesFor } from '../../machines/extcam/table.ts'
import { documentsOf, type Settings, type SettingsStore } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'

/** The tables of all streams; made again only when the settings have changed. */
export class ExtcamTables {
  readonly #settings: SettingsStore
  readonly #isEmulated: () => boolean
  #known: { readonly of: Settings; readonly claims: ReadonlyMap<string, TableClaim> } | undefined

  /** isEmulated: whether streams have tables at all, as the settings are now. */
  constructor(settings: SettingsStore, isEmulated: () => boolean) {
    this.#settings = settings
    this.#isEmulated = isEmulated
  }

  get isEmulated(): boolean {
    return this.#isEmulated()
  }

  /** By the id of the stream: what has an adapter. */
  claims(): ReadonlyMap<string, TableClaim> {
    const of = this.#settings.getSnapshot().context
    if (this.#known?.of !== of) this.#known = { of, claims: this.#made() }
    return this.#known.claims
  }

  /** null: the stream has no adapter, or its table belongs to another stream. */
  tableOf(id: string): string | null {
    const claim = this.claims().get(id)
    return claim && 'table' in claim ? claim.table : null
  }

  #made(): ReadonlyMap<string, TableClaim> {
    if (!this.#isEmulated()) return new Map()
    return tablesFor(Object.values(documentsOf(this.#settings, streamCollection)).map(({ value }) => value))
  }
}
