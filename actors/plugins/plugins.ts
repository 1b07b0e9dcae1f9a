// What is known of the plugins: what is stored of them, and which of it lies on the disk.
import { type FaultCode, isFaultCode } from '../../machines/errors/catalogue.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import { type InstalledPlugin, runsAs } from '../../machines/plugins/installed.ts'
import type { PluginManifest } from '../../machines/plugins/manifest.ts'
import type { ReleaseNote } from '../../machines/plugins/package/release-note.ts'
import type { Plugin, PluginFault } from '../../machines/plugins/plugin.ts'
import type { PluginRun } from '../../machines/plugins/process/plugin-run.ts'
import { pluginCollection, type StoredPlugin } from '../../machines/plugins/stored-plugin.ts'
import { isToRun, missingFiles } from '../../machines/plugins/transitions.ts'
import { documentOf, documentsOf, type SettingsStore, type StoredValue } from '../../machines/settings/store.ts'
import type { FoundReleases, PluginPackages } from '../../native/plugins/packages/port.ts'

/** What they are made of. */
export interface PluginsParts {
  readonly settings: SettingsStore
  readonly packages: Pick<PluginPackages, 'foldersOf'>
  readonly runs: { readonly run: (name: string) => PluginRun | undefined }
  readonly enabled: Latest<readonly InstalledPlugin[]>
}

export class Plugins {
  readonly #parts: PluginsParts
  readonly #notes = new Map<string, Map<string, ReleaseNote>>()
  #hasLooked = false

  constructor(parts: PluginsParts) {
    this.#parts = parts
  }

  /** What lies on the disk, at the start. */
  found(releases: FoundReleases): void {
    this.#notes.clear()
    for (const notes of releases.values()) for (const note of notes) this.note(note)
    this.#hasLooked = true
  }

  /** A release has come. */
  note(note: ReleaseNote): void {
    const of = this.#notes.get(note.name) ?? new Map<string, ReleaseNote>()
    this.#notes.set(note.name, of.set(note.release, note))
  }

  /** Releases have gone. */
  keepOnly(name: string, kept: readonly string[]): void {
    for (const release of this.#notes.get(name)?.keys() ?? [])
      if (!kept.includes(release)) this.#notes.get(name)?.delete(release)
  }

  /** With its revision. */
  document(name: string): StoredValue<StoredPlugin> | undefined {
    return documentOf(this.#parts.settings, pluginCollection, name)
  }

  stored(name: string): StoredPlugin | undefined {
    return this.document(name)?.value
  }

  all(): Readonly<Record<string, StoredValue<StoredPlugin>>> {
    return documentsOf(this.#parts.settings, pluginCollection)
  }

  /** Of the release that is stored; undefined: it is not on the disk. */
  manifest(name: string): PluginManifest | undefined {
    const stored = this.stored(name)
    return stored && this.#noteOf(name, stored)?.manifest
  }

  /** A plugin that is to run, or may. */
  installed(name: string): InstalledPlugin | undefined {
    const stored = this.stored(name)
    const manifest = this.manifest(name)
    if (!stored || !manifest) return undefined
    return { manifest, granted: stored.granted, ...this.#parts.packages.foldersOf(name, stored.release) }
  }

  /** Tells those who run plugins which ones. A plugin of which nothing changed is the same object as before. */
  showEnabled(): void {
    const before = this.#parts.enabled.value ?? []
    const now = Object.entries(this.all()).flatMap(([name, { value }]) => {
      const installed = isToRun(value) ? this.installed(name) : undefined
      if (!installed) return []
      return [before.find((each) => runsAs(each, installed)) ?? installed]
    })
    if (this.#parts.enabled.value && now.length === before.length && now.every((each) => before.includes(each))) return
    this.#parts.enabled.set(now)
  }

  /** As clients see them, in the order of their installation. */
  list(): readonly Plugin[] {
    return Object.keys(this.all()).flatMap((name) => this.view(name) ?? [])
  }

  view(name: string): Plugin | undefined {
    const found = this.document(name)
    if (!found) return undefined
    const { revision, value: stored } = found
    const note = this.#noteOf(name, stored)
    const run = this.#parts.runs.run(name)
    const { version, state, granted, previous, fault } = stored
    return {
      name,
      version,
      revision,
      state,
      previous_version: previous?.version ?? null,
      fault: faultOf(note || !this.#hasLooked ? fault : missingFiles(name, stored)),
      granted,
      manifest: note?.manifest ?? null,
      size_bytes: note?.size_bytes ?? null,
      unpacked_bytes: note?.unpacked_bytes ?? null,
      installed_at_ms: note?.at_ms ?? null,
      run: run && isToRun(stored) ? runOf(run) : null,
    }
  }

  #noteOf(name: string, { release }: StoredPlugin): ReleaseNote | undefined {
    return this.#notes.get(name)?.get(release)
  }
}

/** A code that an older version knew is still a fault. */
const faultOf = (fault: (Pick<Fault, 'detail'> & { readonly code: string }) | null): PluginFault | null => {
  if (!fault) return null
  const code: FaultCode = isFaultCode(fault.code) ? fault.code : 'plugin.failed'
  return { code, detail: fault.detail }
}

const runOf = ({ fault, confinement, lines, ...run }: PluginRun): NonNullable<Plugin['run']> => ({
  ...run,
  fault: faultOf(fault),
  confinement: [...confinement],
  lines: [...lines],
})
