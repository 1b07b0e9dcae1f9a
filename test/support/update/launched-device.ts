// A device on which the launcher runs the service: versions are made by hand of this checkout, as folders.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { PACKAGED, type ReleaseManifest, versionName } from '../../../machines/update/release.ts'
import { type SlotState, slotStateIn } from '../../../machines/update/slots.ts'
import { directoryBackend } from '../../../native/update/directory.ts'
import type { UpdateBackend } from '../../../native/update/port.ts'
import type { Lifetime } from '../lifetime.ts'
import { temporaryFolder } from '../processes/daemon.ts'
import { arrival, until } from '../until.ts'
import { filesOf } from './installer.ts'
import { manifestWith } from './manifest.ts'

const ROOT = join(import.meta.dirname, '../../..')
const LINKED = ['node_modules', 'native/addon/build', 'native/libav/build', 'native/notify/build', 'ui/build']
const COPIED = ['.bundle', 'ui/docs.html', 'ui/docs.js', 'docs/help.txt']

/** What a bad version runs before, or instead of, the service. service: the module that is the service. */
export type BadMain = (service: string) => string

/** Makes the folder of a version of this checkout. Returns the name of the version. */
export const makeVersion = (folder: string, version: string, bad?: BadMain): string => {
  const { node, bundle } = checkoutParts()
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  for (const path of LINKED) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(ROOT, path), join(folder, path))
  }
  mkdirSync(join(folder, 'bin'))
  symlinkSync(node, join(folder, 'bin/node'))
  const about = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...about, version }))
  if (bad) {
    const main = join(folder, '.bundle', bundle)
    renameSync(main, join(folder, '.bundle/service.mjs'))
    writeFileSync(main, bad('./service.mjs'))
  }
  const name = writeManifest(folder, version, [])
  const manifest = readFileSync(join(folder, 'release.json'))
  writeFileSync(join(folder, 'complete'), createHash('sha256').update(manifest).digest('hex'))
  return name
}

const checkoutParts = () => {
  // `npm test` has made it; by hand it is made here
  if (!process.env.TESTED_SERVICE || !existsSync(process.env.TESTED_SERVICE))
    execFileSync('sh', ['native/bundle.sh'], { cwd: ROOT, stdio: 'pipe' })
  return { node: process.execPath, bundle: 'main.mjs' }
}

/**
 * Makes a release that can be installed: files alone, and as few as a service without pictures and page needs. Returns
 * the name of the version.
 */
export const makeRelease = (folder: string, version: string): string => {
  const { node } = checkoutParts()
  for (const path of ['.bundle', 'docs/help.txt']) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  rmSync(join(folder, '.bundle/made-of'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/node'), `#!/bin/sh\nexec ${node} "$@"\n`, { mode: 0o755 })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'vedette', version }))
  return writeManifest(folder, version, filesOf(folder))
}

const writeManifest = (folder: string, version: string, files: ReleaseManifest['files']): string => {
  const manifest = manifestWith({
    version,
    hardware: [`linux-${process.arch}`],
    minimum_version: '0.0.1',
    files,
  })
  const bytes = JSON.stringify(manifest)
  writeFileSync(join(folder, 'release.json'), bytes)
  return versionName(version, createHash('sha256').update(bytes).digest('hex'))
}

/** Bundles the launcher as the package has it. */
const bundleLauncher = (outfile: string): void => {
  buildSync({
    entryPoints: [join(ROOT, 'native/launcher/launch.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
}

/** How long the launcher waits; what is left out is as it is on a device. */
export interface Patience {
  readonly readyS?: number
  readonly watchdogS?: number
}

const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NODE|VEDETTE|NOTIFY|WATCHDOG)_/.test(name))),
  VEDETTE_ENGINE: 'fake',
}

/** Such a device. All of it ends with the lifetime. */
export class LaunchedDevice {
  readonly #folder = temporaryFolder()
  readonly system = join(this.#folder, 'system')
  readonly packaged = join(this.#folder, 'packaged')
  readonly dataDir = join(this.#folder, 'data')
  readonly launcher = join(this.#folder, 'launch.mjs')
  readonly #patience: Patience
  #child: ChildProcess | undefined
  output = ''

  constructor(t: Lifetime, patience: Patience = {}) {
    this.#patience = patience
    bundleLauncher(this.launcher)
    makeVersion(this.packaged, '1.0.0')
    t.after(async () => {
      await this.killAll()
      rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 })
    })
  }

  /** Puts a version beside the packaged one; its name. */
  add(version: string, bad?: BadMain): string {
    const part = join(this.system, 'versions', 'made.part')
    rmSync(part, { recursive: true, force: true })
    const name = makeVersion(part, version, bad)
    renameSync(part, join(this.system, 'versions', name))
    return name
  }

  /** Leaves something half written among the versions. */
  leave(name: string): void {
    mkdirSync(join(this.system, 'versions', name, 'bin'), { recursive: true })
    writeFileSync(join(this.system, 'versions', name, 'bin/node'), 'half')
  }

  /** As the service that runs has it. */
  backend(running: string = PACKAGED): UpdateBackend {
    const { system, packaged, dataDir } = this
    return directoryBackend({ system, packaged, dataDir, running, end: () => this.endService('SIGTERM') })
  }

  state(): SlotState {
    return slotStateIn(readFileSync(join(this.system, 'state.json'), 'utf8')) as SlotState
  }

  /** Starts the launcher. by: what is in the environment where it does not watch, but systemd does. */
  start(by?: Readonly<Record<string, string>>): void {
    const { readyS, watchdogS } = this.#patience
    const child = spawn(
      process.execPath,
      [
        ...[this.launcher, '--system', this.system, '--packaged', this.packaged, '--data-dir', this.dataDir],
        ...(by ? [] : ['--watch']),
        ...(readyS === undefined ? [] : ['--ready-s', `${readyS}`]),
        ...(watchdogS === undefined ? [] : ['--watchdog-s', `${watchdogS}`]),
        ...['--', '--http', '127.0.0.1:0', '--nt4', 'off', '--demo', '0', '--log', 'json:info'],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...env, ...by } },
    )
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
    this.#child = child
  }

  /** The address of the API as soon as a service is ready that was started after so many bytes of output. */
  async ready(since = 0): Promise<string> {
    const look = () => /"url":"([^"]+)"/.exec(this.output.slice(since))?.[1]
    return (await until('a service that is ready', look, Boolean, 120_000).catch((error) => {
      throw new Error(`${(error as Error).message}\n${this.output.slice(-4000)}`)
    })) as string
  }

  /** Waits for a sentence of the launcher. */
  async heard(pattern: RegExp, since = 0): Promise<void> {
    await until(`${pattern}`, () => pattern.test(this.output.slice(since)))
  }

  /** The launcher, and the service when it has become that. */
  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** The processes that the launcher has started. */
  get services(): readonly number[] {
    const pid = this.#child?.pid
    if (pid === undefined) return []
    try {
      return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    } catch {
      return []
    }
  }

  endService(signal: NodeJS.Signals): void {
    for (const pid of this.services) process.kill(pid, signal)
  }

  /** As a cut of the power ends all: the launcher, the service, its engines. */
  async killAll(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGSTOP') // it starts nothing more
    const groups = this.services
    for (const pid of groups) killGroup(pid)
    const ended = once(child, 'close')
    child.kill('SIGKILL')
    await arrival('the end of the launcher', ended)
    for (const pid of groups) await until('the end of a service', () => !existsSync(`/proc/${pid}`))
  }

  /** Waits until it ends by itself; its exit code. */
  get ended(): Promise<number | null> {
    const child = this.#child as ChildProcess
    return arrival('the end of the launcher', once(child, 'close')).then(([code]) => code as number | null)
  }

  /** Tells the launcher to end, and waits; its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const { ended } = this
    this.#child?.kill(signal)
    return ended
  }
}

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}
