// A device that is updated at random, and loses its power at random: what a start may find then, and what it must do.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import * as Effect from 'effect/Effect'
import { PACKAGED, versionName } from '../../../machines/update/release.ts'
import { TRIES } from '../../../machines/update/slots.ts'
import { prepareStart, type Start } from '../../../native/launcher/prepare.ts'
import type { SettingsFiles } from '../../../native/launcher/settings.ts'
import { directoryBackend } from '../../../native/update/directory.ts'
import { verifiedBundle } from '../../../native/update/fake.ts'
import type { UpdateBackend, VerifiedBundle } from '../../../native/update/port.ts'
import { readSlotFile } from '../../../native/update/slot-file.ts'
import type { Random } from '../engine/random-graphs.ts'
import { listedFile, manifestWith } from './manifest.ts'
import { type IsForgotten, ModelDisk } from './model-disk.ts'

const [SYSTEM, PACKAGE, DATA] = ['/system', '/packaged', '/data']
const SETTINGS_FILE = 'vedette.db'
const CUT_WITHIN = 90 // steps: an update and its trial take some eighty

/** What can be installed. */
interface Release {
  readonly name: string
  readonly bundle: VerifiedBundle
  readonly files: readonly { readonly path: string; readonly content: Buffer }[]
}

/** A small release that can be installed. */
export const releaseOf = (version: string, built_at_ms: number): Release => {
  const files = ['bin/node', '.bundle/main.mjs', 'ui/build/deep/page.js'].map((path) => ({
    path,
    content: Buffer.from(`${path} of ${version}`),
  }))
  const manifest = manifestWith({
    version,
    minimum_version: '0.0.1',
    built_at_ms,
    files: files.map(({ path, content }) => listedFile(path, content)),
  })
  const bundle = verifiedBundle(Buffer.from(JSON.stringify(manifest)), (wanted) =>
    Readable.from(files.filter(({ path }) => path === wanted).map(({ content }) => content)),
  )
  return { name: versionName(version, bundle.sha256), bundle, files }
}

/** A device, from one cut to the next. */
class Device {
  disk: ModelDisk
  readonly #random: Random
  /** What the next start may run. */
  #may: readonly string[] = [PACKAGED]
  #running = PACKAGED
  #installed = 0
  /** The version on trial, how many of its starts were begun, and how many of them came to run it. */
  #trial: { readonly name: string; readonly previous: string; begun: number; done: number } | undefined
  /** By version: what is stored in its settings. */
  readonly #stored = new Map<string, readonly string[]>()
  readonly #releases = new Map<string, Release>()
  #documents = 0
  cuts = 0
  wentBack = 0

  constructor(random: Random, isForgotten: IsForgotten) {
    this.#random = random
    this.disk = new ModelDisk(isForgotten)
  }

  async unpack(): Promise<void> {
    const { files, bundle } = releaseOf('1.0.0', 0)
    for (const folder of [SYSTEM, DATA]) await this.disk.makeFolder(folder)
    await this.disk.makeFolder(PACKAGE)
    for (const { path, content } of [...files, { path: 'release.json', content: bundle.manifestBytes }]) {
      await this.disk.makeFolder(`${PACKAGE}/${path}`.replace(/\/[^/]+$/, ''))
      await this.disk.write(`${PACKAGE}/${path}`, content)
    }
    this.disk.settle()
    this.#stored.set(PACKAGED, [])
  }

  /** Lives through one update, or a part of it. */
  async live(): Promise<void> {
    this.disk.cutAfter(this.#random(CUT_WITHIN))
    try {
      await this.#start()
      for (let n = this.#random(4); n > 0; n -= 1) await this.#update()
    } catch (error) {
      if (!this.disk.isCut) throw error
    }
    this.cuts += 1
    this.disk = this.disk.afterCut(this.#random)
    if (this.#random(3) === 0) await this.#startAndCut()
    await this.#start()
  }

  async #startAndCut(): Promise<void> {
    this.disk.cutAfter(this.#random(12))
    try {
      await this.#start()
    } catch (error) {
      if (!this.disk.isCut) throw error
    }
    this.cuts += 1
    this.disk = this.disk.afterCut(this.#random)
  }

  get #backend(): UpdateBackend {
    const { disk } = this
    return directoryBackend({ system: SYSTEM, packaged: PACKAGE, dataDir: DATA, running: this.#running, disk })
  }

  /** One at a time: what is on trial is found well or not before there is another. */
  async #update(): Promise<void> {
    if (this.#trial) return this.#try(this.#trial.previous)
    const previous = this.#running
    const release = this.#choose()
    await run(this.#backend.install(release.bundle, () => {}))
    if (this.#random(4) === 0) return
    this.#may = [previous, release.name]
    await run(this.#backend.activate(release.name))
    this.#stored.delete(release.name) // it gets those of the version before it
    this.#may = [release.name]
    this.#trial = { name: release.name, previous, begun: 0, done: 0 }
    await this.#start()
    await this.#try(previous)
  }

  /** A new one, or one that was there before. */
  #choose(): Release {
    const others = [...this.#releases.values()].filter(({ name }) => name !== this.#running)
    const again = others[this.#random(others.length)]
    if (again && this.#random(3) === 0) return again
    this.#installed += 1
    const release = releaseOf(`1.${this.#installed}.0`, this.#installed)
    this.#releases.set(release.name, release)
    return release
  }

  async #try(previous: string): Promise<void> {
    const name = this.#running
    await this.#store()
    const how = this.#random(3)
    if (how < 2) this.#may = [previous, name]
    if (how === 0) {
      await run(this.#backend.commit)
      this.#may = [name]
      this.#trial = undefined
      return this.#store()
    }
    if (how === 1) {
      await run(this.#backend.goBack('it sees nothing'))
      this.#may = [previous]
      await this.#start()
      return this.#store()
    }
    // it crashes again and again
    for (let n = 0; n < TRIES && this.#running === name; n += 1) await this.#start()
    assert.notEqual(this.#running, name, 'it is given up')
  }

  async #store(): Promise<void> {
    const folder = `${DATA}/settings/${this.#running}`
    await this.disk.makeFolder(folder)
    for (const each of [DATA, `${DATA}/settings`, folder]) await this.disk.sync(each)
    this.#documents += 1
    const next = [...(this.#stored.get(this.#running) ?? []), `${this.#documents}`]
    await this.disk.commit(`${folder}/${SETTINGS_FILE}`, Buffer.from(next.join(' ')))
    this.#stored.set(this.#running, next)
  }

  async #start(): Promise<void> {
    const { disk } = this
    const before = this.#running
    const trial = this.#trial
    if (trial && trial.begun >= TRIES) this.#may = [...this.#may, trial.previous]
    if (trial) trial.begun += 1
    const warnings: string[] = []
    const start = await prepareStart({
      system: SYSTEM,
      packaged: PACKAGE,
      dataDir: DATA,
      disk,
      settings: settingsOn(disk),
      nowMs: () => 1,
      warn: (sentence) => void warnings.push(sentence),
    })
    if (disk.isCut) throw new Error('cut')
    this.#running = start.name
    await this.#check(start, before, warnings)
  }

  async #check(start: Start, before: string, warnings: readonly string[]): Promise<void> {
    const { disk } = this
    const { name } = start
    const state = await readSlotFile(disk, SYSTEM)
    assert.deepEqual(warnings, [])
    assert.ok(this.#may.includes(name), `${name} runs, and not one of ${this.#may}`)
    assert.ok(typeof state === 'object' && state.current === name && state.why !== '', `why ${name} runs is said`)
    await this.#checkWhole(start)
    assert.deepEqual(await this.#leftovers(), [], 'nothing half written is left')
    await this.#checkSettings(start, state.tries === null ? undefined : (state.previous ?? undefined))
    if (state.tries === null) {
      this.#may = [name]
      this.#trial = undefined
    } else {
      this.#trial ??= { name, previous: state.previous ?? PACKAGED, begun: 1, done: 0 }
      this.#trial.done += 1
      assert.ok(this.#trial.done <= TRIES, `${name} was started too often on trial`)
    }
    if (state.failed?.version === before && name !== before) {
      assert.ok(state.failed.reason.length > 10, 'why it was gone back is said')
      this.wentBack += 1
    }
  }

  async #checkWhole({ name, folder }: Start): Promise<void> {
    if (name === PACKAGED) return
    for (const { path, content } of this.#releases.get(name)?.files ?? assert.fail(`${name} is unknown`))
      assert.deepEqual(await this.disk.read(`${folder}/${path}`), content, `${path} of ${name} is whole`)
  }

  async #leftovers(): Promise<readonly string[]> {
    const folders = [SYSTEM, `${SYSTEM}/versions`, `${DATA}/settings`]
    const names = await Promise.all(folders.map((folder) => this.disk.list(folder)))
    return names.flat().filter((name) => name.endsWith('.part'))
  }

  async #checkSettings({ name, settings }: Start, previous: string | undefined): Promise<void> {
    const wanted = this.#stored.get(name) ?? this.#stored.get(previous ?? PACKAGED) ?? []
    const text = (await this.disk.read(`${settings}/${SETTINGS_FILE}`))?.toString('utf8') ?? ''
    const found = text.split(' ').filter(Boolean)
    assert.deepEqual(found.slice(0, wanted.length), wanted, `the settings of ${name} are all there`)
    // one more may have been on the disk when the power went, before that was known
    assert.ok(found.length <= wanted.length + 1, `nothing is in the settings of ${name} that it never stored`)
    this.#stored.set(name, found)
  }
}

const settingsOn = (disk: ModelDisk): SettingsFiles => ({
  copy: async (from, to) =>
    disk.write(`${to}/${SETTINGS_FILE}`, (await disk.read(`${from}/${SETTINGS_FILE}`)) as Buffer),
  differing: () => [],
})

const run = async <Value>(effect: Effect.Effect<Value, unknown>): Promise<Value> => Effect.runPromise(effect)

/** Cuts the power so often; fails with what is wrong after one of the cuts. */
export const cutPower = async (
  random: Random,
  cuts: number,
  isForgotten: IsForgotten = () => false,
): Promise<{ readonly wentBack: number }> => {
  let done = 0
  let wentBack = 0
  while (done < cuts) {
    const device = new Device(random, isForgotten)
    await device.unpack()
    for (let n = 0; n < 10 && done + device.cuts < cuts; n += 1) await device.live()
    done += device.cuts
    wentBack += device.wentBack
  }
  return { wentBack }
}
