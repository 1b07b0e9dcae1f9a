// The packages of plugins on the disk of this device.
//
//   incoming/<id>/                    what is being written, or is about to be removed: the next start removes it
//   uploads/<name>-<version>/         package.zip, package.json
//   installed/<name>/<release>/       package.zip, package.json, content/
//   data/<name>/                      of the plugin itself
//
// Each folder is made in `incoming`, synced, and put in its place in one step, and leaves in the same way: what has its
// name is whole.
import { createHash, randomUUID } from 'node:crypto'
import { copyFile, constants as fsConstants, open, readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import {
  type PluginUpload,
  ReleaseNote,
  releaseNameOf,
  uploadNameOf,
  uploadOf,
} from '../../../machines/plugins/package/release-note.ts'
import { MAX_PACKAGE_BYTES } from '../../../machines/plugins/package/rules.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { jsonIn } from '../../../machines/schema/json.ts'
import { megabytes } from '../../../machines/schema/megabytes.ts'
import type { Clock } from '../../clock/port.ts'
import { SerialQueue } from '../../files/serial-queue.ts'
import { Arrival, defaultPatience } from '../../media/arrival.ts'
import { openPlain } from '../../media/folder.ts'
import type { Arriving } from '../../media/port.ts'
import type { Patience } from '../../media/store-internals.ts'
import { realDisk } from '../../update/disk.ts'
import type { FoundReleases, OpenedPackage, PluginPackages } from './port.ts'
import { type PackageWorker, packageFault } from './unpack.ts'

/** What a store is made of. */
export interface PackageStoreParts {
  /** Its own; made when it is needed. */
  readonly folder: string
  readonly worker: PackageWorker
  readonly clock: Pick<Clock, 'nowMs'>
  /** Opens a package on another host. */
  readonly openUrl: (url: string) => Promise<Arriving | Fault>
  /** Opens a file of a media root. */
  readonly openFile: (path: string) => Promise<Arriving | Fault>
  /** How slowly a package may come. */
  readonly patience?: Partial<Patience>
}

const MiB = 1024 * 1024
const MIN_FREE_BYTES = 64 * MiB // settings, and what else must be written
/** A team has its plugins in some versions; the oldest one makes room. */
const MAX_UPLOADS = 8
const TOTAL_MS = 600_000

const INCOMING = 'incoming'
const UPLOADS = 'uploads'
const INSTALLED = 'installed'
const DATA = 'data'
const PACKAGE = 'package.zip'
const NOTE = 'package.json'
const CONTENT = 'content'

export class FilePackages implements PluginPackages {
  readonly #parts: PackageStoreParts
  readonly #turns = new SerialQueue()

  constructor(parts: PackageStoreParts) {
    this.#parts = parts
  }

  receive(arriving: Arriving): Promise<PluginUpload | Fault> {
    return this.#attempt(() => this.#receive(arriving))
  }

  readonly takeFile = (path: string): Promise<PluginUpload | Fault> => this.#taken(this.#parts.openFile(path))

  readonly fetch = (url: string): Promise<PluginUpload | Fault> => this.#taken(this.#parts.openUrl(url))

  readonly uploads = async (): Promise<readonly PluginUpload[]> => (await this.#uploadNotes()).map(uploadOf)

  readonly openUpload = (name: string): Promise<OpenedPackage | Fault> =>
    this.#open(this.#at(UPLOADS, name), noUpload(name))

  readonly openRelease = (name: string, release: string): Promise<OpenedPackage | Fault> =>
    this.#open(this.#at(INSTALLED, name, release), {
      code: 'plugin.missing',
      detail: `the package of ${name} is not on the disk any more; install it again`,
    })

  readonly unpack = (upload: string): Promise<ReleaseNote | Fault> =>
    this.#attempt(() => this.#turns.inTurn(() => this.#unpack(upload)))

  readonly restore = (): Promise<FoundReleases | Fault> =>
    this.#attempt(async () => {
      for (const each of [INCOMING, UPLOADS, INSTALLED, DATA]) await realDisk.makeFolder(this.#at(each))
      for (const each of await readdir(this.#at(INCOMING))) await realDisk.remove(this.#at(INCOMING, each))
      const names = await readdir(this.#at(INSTALLED))
      const found = await Promise.all(names.map(async (name) => [name, await this.#releases(name)] as const))
      return new Map(found)
    })

  readonly sweep = (name: string, kept: readonly string[]): Promise<undefined | Fault> =>
    this.#attempt(async () => {
      const releases = await realDisk.list(this.#at(INSTALLED, name))
      for (const release of releases)
        if (!kept.includes(release)) await this.#removeWhole(this.#at(INSTALLED, name, release))
      if (kept.length > 0) return undefined
      await this.#removeWhole(this.#at(INSTALLED, name))
      await rmdir(this.#at(DATA, name)).catch(() => {}) // what it kept may be wanted again
      return undefined
    })

  readonly remove = (name: string): Promise<undefined | Fault> =>
    this.#attempt(async () => {
      for (const each of [INSTALLED, DATA]) await this.#removeWhole(this.#at(each, name))
      return undefined
    })

  readonly foldersOf = (name: string, release: string) => ({
    folder: this.#at(INSTALLED, name, release, CONTENT),
    data_folder: this.#at(DATA, name),
  })

  #at(...path: readonly string[]): string {
    return join(this.#parts.folder, ...path)
  }

  async #attempt<Value>(work: () => Promise<Value>): Promise<Value | Fault> {
    try {
      return await work()
    } catch (error) {
      return packageFault(error)
    }
  }

  async #taken(opening: Promise<Arriving | Fault>): Promise<PluginUpload | Fault> {
    const arriving = await opening
    if (isFault(arriving)) return arriving
    try {
      return await this.receive(arriving)
    } finally {
      arriving.body.destroy()
    }
  }

  async #receive(arriving: Arriving): Promise<PluginUpload> {
    const patience = { ...defaultPatience, totalMs: TOTAL_MS, ...this.#parts.patience, maxBytes: MAX_PACKAGE_BYTES }
    const arrival = new Arrival(arriving, patience)
    const folder = await this.#makeIncoming()
    try {
      await this.#needRoom(arriving.length ?? 0)
      const { sha256, size_bytes } = await this.#write(arrival, join(folder, PACKAGE))
      const found = await this.#parts.worker.inspect(join(folder, PACKAGE))
      if (isFault(found)) throw found
      const { manifest, unpacked_bytes } = found
      const note = this.#noteOf({ manifest, unpacked_bytes, sha256, size_bytes })
      await this.#writeNote(folder, note)
      await this.#turns.inTurn(async () => {
        await this.#place(folder, UPLOADS, uploadNameOf(note))
        for (const old of (await this.#uploadNotes()).slice(MAX_UPLOADS))
          await this.#removeWhole(this.#at(UPLOADS, uploadNameOf(old)))
      })
      return uploadOf(note)
    } catch (error) {
      await realDisk.remove(folder).catch(() => {}) // the next start does it again
      throw error
    } finally {
      arrival.close()
    }
  }

  /** Writes all that arrives; it is on the disk then. */
  async #write(arrival: Arrival, path: string): Promise<Pick<ReleaseNote, 'sha256' | 'size_bytes'>> {
    const hash = createHash('sha256')
    let size_bytes = 0
    await using file = await open(path, 'wx', 0o600)
    for (;;) {
      const piece = await arrival.next()
      if (isFault(piece)) throw piece
      if (!piece) break
      hash.update(piece)
      size_bytes += piece.length
      await file.writeFile(piece) // from where it stands, and all of it
    }
    await file.sync()
    return { sha256: hash.digest('hex'), size_bytes }
  }

  #noteOf(found: Pick<ReleaseNote, 'manifest' | 'unpacked_bytes' | 'sha256' | 'size_bytes'>): ReleaseNote {
    const { name, version } = found.manifest
    const release = releaseNameOf({ version, sha256: found.sha256 })
    return { format: 1, name, version, release, at_ms: this.#parts.clock.nowMs(), ...found }
  }

  async #writeNote(folder: string, note: ReleaseNote): Promise<void> {
    const path = join(folder, NOTE)
    await realDisk.write(path, Buffer.from(JSON.stringify(note)), 0o600)
    await realDisk.sync(path)
  }

  async #unpack(upload: string): Promise<ReleaseNote> {
    const from = this.#at(UPLOADS, upload)
    const note = await readNote(from)
    if (!note) throw noUpload(upload)
    const { name, release } = note
    const there = await readNote(this.#at(INSTALLED, name, release))
    if (there) return there
    await this.#needRoom(note.unpacked_bytes + note.size_bytes)
    const folder = await this.#makeIncoming()
    try {
      await copyFile(join(from, PACKAGE), join(folder, PACKAGE), fsConstants.COPYFILE_FICLONE)
      await realDisk.sync(join(folder, PACKAGE))
      const found = await this.#parts.worker.unpack(join(folder, PACKAGE), join(folder, CONTENT))
      if (isFault(found)) throw found
      const { manifest, unpacked_bytes } = found
      const placed = { ...note, at_ms: this.#parts.clock.nowMs(), manifest, unpacked_bytes }
      await this.#writeNote(folder, placed)
      await realDisk.makeFolder(this.#at(DATA, name))
      await realDisk.sync(this.#at(DATA))
      await realDisk.makeFolder(this.#at(INSTALLED, name))
      await realDisk.sync(this.#at(INSTALLED))
      await this.#place(folder, INSTALLED, name, release)
      return placed
    } catch (error) {
      await realDisk.remove(folder).catch(() => {}) // the next start does it again
      throw error
    }
  }

  async #makeIncoming(): Promise<string> {
    const folder = this.#at(INCOMING, randomUUID())
    await realDisk.makeFolder(folder)
    return folder
  }

  /** Puts a folder in its place, instead of what is there. */
  async #place(folder: string, ...path: readonly string[]): Promise<void> {
    const place = this.#at(...path)
    await realDisk.sync(folder)
    await realDisk.makeFolder(join(place, '..'))
    await this.#removeWhole(place)
    await realDisk.rename(folder, place)
    await realDisk.sync(join(place, '..'))
  }

  /** What is half removed does not have its name any more. */
  async #removeWhole(place: string): Promise<void> {
    const leaving = this.#at(INCOMING, randomUUID())
    try {
      await realDisk.rename(place, leaving)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    await realDisk.sync(join(place, '..'))
    await realDisk.remove(leaving)
  }

  async #uploadNotes(): Promise<readonly ReleaseNote[]> {
    const names = await realDisk.list(this.#at(UPLOADS))
    const notes = await Promise.all(names.map((name) => readNote(this.#at(UPLOADS, name))))
    return notes.filter((note) => note !== undefined).toSorted((a, b) => b.at_ms - a.at_ms)
  }

  async #releases(name: string): Promise<readonly ReleaseNote[]> {
    const releases = await realDisk.list(this.#at(INSTALLED, name))
    const notes = await Promise.all(
      releases.map(async (release) => {
        const note = await readNote(this.#at(INSTALLED, name, release))
        return note?.release === release && note.name === name ? note : undefined
      }),
    )
    return notes.filter((note) => note !== undefined)
  }

  async #open(folder: string, missing: Fault): Promise<OpenedPackage | Fault> {
    const note = await readNote(folder)
    if (!note) return missing
    try {
      const file = await openPlain(join(folder, PACKAGE))
      const { size } = await file.stat()
      return {
        sizeBytes: size,
        sha256: note.sha256,
        fileName: `${uploadNameOf(note)}.zip`,
        stream: (first, last) => file.createReadStream({ start: first, end: last }),
        close: () => file.close(),
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing
      return packageFault(error)
    }
  }

  async #needRoom(bytes: number): Promise<void> {
    const free = await realDisk.free(this.#parts.folder)
    if (free >= bytes + MIN_FREE_BYTES) return
    throw {
      code: 'storage.full',
      detail:
        `there is no room for the package: ${megabytes(free)} are free, and it needs ${megabytes(bytes)} with ` +
        `${megabytes(MIN_FREE_BYTES)} left for everything else; remove some plugins, or delete some media items`,
    } satisfies Fault
  }
}

const readNote = async (folder: string): Promise<ReleaseNote | undefined> => {
  const bytes = await realDisk.read(join(folder, NOTE))
  const note = bytes && jsonIn(bytes.toString('utf8'))
  return note !== undefined && schemaErrors(ReleaseNote, note).length === 0 ? (note as ReleaseNote) : undefined
}

const noUpload = (name: string): Fault => ({
  code: 'plugin.no_upload',
  detail: `there is no upload ${name}; upload the package first (POST /v1/plugins/upload)`,
})
