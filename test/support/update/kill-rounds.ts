// A device that is updated and killed, all of it at once and at random moments, again and again: what the disk of a
// living system shows of a power cut. What was not synced is not lost here; power-cuts.ts plays that.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGED } from '../../../machines/update/release.ts'
import type { Random } from '../engine/random-graphs.ts'
import type { Lifetime } from '../lifetime.ts'
import { temporaryFolder } from '../processes/daemon.ts'
import { LaunchedDevice, makeRelease } from './launched-device.ts'

const INSTALLER = join(import.meta.dirname, 'installer.ts')
const MAX_BOOT_MS = 2_500 // a start takes about one second, and on a busy machine two
const MAX_INSTALL_MS = 1_600

/** What came of it. */
export interface KillRounds {
  /** How often which version ran after a kill: that from before, or the other. */
  old: number
  changed: number
  wentBack: number
  committed: number
}

/** Plays so many rounds; fails with what is wrong after one of them. */
export const playKills = async (t: Lifetime, random: Random, rounds: number): Promise<KillRounds> => {
  const releases = temporaryFolder()
  t.after(() => rmSync(releases, { recursive: true, force: true }))
  const names = ['1.1.0', '1.2.0', '1.3.0'].map((version) => makeRelease(join(releases, version), version))
  const device = new KilledDevice(new LaunchedDevice(t), random)
  await device.begin()
  for (let round = 0; round < rounds; round += 1) {
    const at = names.findIndex((name) => name !== device.running && !device.isTried(name))
    const version = ['1.1.0', '1.2.0', '1.3.0'][at] ?? '1.1.0'
    await device.round({ name: names[at] ?? '', folder: join(releases, version) })
  }
  return device.seen
}

class KilledDevice {
  readonly seen: KillRounds = { old: 0, changed: 0, wentBack: 0, committed: 0 }
  running = PACKAGED
  readonly #device: LaunchedDevice
  readonly #random: Random
  /** What is stored, by version: how the stream is mounted. */
  readonly #stored = new Map<string, number>()
  #url = ''
  #count = 0

  constructor(device: LaunchedDevice, random: Random) {
    this.#device = device
    this.#random = random
  }

  isTried(name: string): boolean {
    return this.#device.state().previous === name
  }

  async begin(): Promise<void> {
    this.#device.start()
    this.#url = await this.#device.ready()
    const stream = { id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: 2 } }
    await this.#send('POST', '/v1/streams', stream)
    await this.#store()
  }

  /** Something is under way; all is killed at some moment of it; the next start is looked at. */
  async round(release: { readonly name: string; readonly folder: string }): Promise<void> {
    const { tries } = this.#device.state()
    const before = this.running
    const may = [before, this.#device.state().previous ?? before]
    const what = this.#random(4)
    if (tries !== null && what === 0) await this.#killDuring(this.#install('commit'), MAX_INSTALL_MS)
    else if (tries !== null && what < 3) await this.#commit()
    else if (tries !== null || what === 0) await this.#killAfterRestart()
    else {
      may.push(release.name)
      this.#stored.delete(release.name) // where it is chosen, it is given those of the version that runs
      const installing = this.#install('install', release.folder)
      if (what === 1) await this.#killDuring(installing, MAX_INSTALL_MS)
      else {
        await once(installing, 'close')
        await this.#killAfterRestart()
      }
    }
    await this.#look(may, before)
  }

  /** On a busy machine a process that commits has not always begun to when it is killed. */
  async #commit(): Promise<void> {
    const [code] = await once(this.#install('commit'), 'close')
    assert.equal(code, 0, 'it is committed')
    await this.#killAfterRestart()
  }

  async #killAfterRestart(): Promise<void> {
    this.#device.endService('SIGTERM')
    await this.#passes(MAX_BOOT_MS)
    await this.#device.killAll()
  }

  async #killDuring(child: ChildProcess, withinMs: number): Promise<void> {
    const ended = once(child, 'close')
    await Promise.race([this.#passes(withinMs), ended])
    child.kill('SIGKILL')
    await this.#device.killAll()
    await ended
  }

  #passes(withinMs: number): Promise<unknown> {
    return new Promise((resolve) => setTimeout(resolve, this.#random(withinMs)))
  }

  #install(order: 'install' | 'commit', release = ''): ChildProcess {
    const { system, packaged, dataDir } = this.#device
    const args = [INSTALLER, order, system, packaged, dataDir, this.running, release]
    return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  }

  async #look(may: readonly string[], before: string): Promise<void> {
    const device = this.#device
    const since = device.output.length
    device.start()
    this.#url = await device.ready(since)
    const { current, tries, why, failed, previous } = device.state()
    assert.ok(may.includes(current), `${current} runs, and not one of ${may}: ${why}`)
    assert.ok(why.length > 10, 'why it runs is said')
    assert.deepEqual(this.#parts(), [], 'nothing half written is left')
    const wanted = this.#stored.get(current) ?? this.#stored.get(previous ?? before)
    const { x_m } = await this.#mount()
    assert.equal(x_m, wanted, `the settings of ${current} are those that it had, or were given`)
    this.#stored.set(current, x_m)
    this.running = current
    if (current === before) this.seen.old += 1
    else this.seen.changed += 1
    if (current !== before && failed?.version === before) {
      assert.ok(failed.reason.length > 10, 'why it was gone back is said')
      this.#stored.delete(before)
      this.seen.wentBack += 1
    }
    if (tries !== null) return
    if (current !== PACKAGED) this.seen.committed += 1
    await this.#store()
  }

  #parts(): readonly string[] {
    const { system, dataDir } = this.#device
    const folders = [system, join(system, 'versions'), join(dataDir, 'settings')]
    return folders.flatMap((folder) => readdirSync(folder)).filter((name) => name.endsWith('.part'))
  }

  async #mount(): Promise<{ readonly x_m: number }> {
    const { spec } = (await (await fetch(`${this.#url}/v1/streams/front`)).json()) as {
      spec: { pose: { x_m: number } }
    }
    return spec.pose
  }

  async #store(): Promise<void> {
    this.#count += 1
    const pose = { x_m: this.#count, y_m: 0, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
    await this.#send('PUT', '/v1/streams/front/pose', pose)
    this.#stored.set(this.running, this.#count)
  }

  async #send(method: string, path: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(this.#url + path, { method, headers, body: JSON.stringify(body) })
    assert.ok(answer.ok, `${method} ${path}: ${await answer.text()}`)
  }
}
