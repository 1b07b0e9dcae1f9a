// The service as a process of its own, started by the same command as `npm start`, without what that prepares.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import type { FrameBytes } from '../bare/relayed.ts'
import { type Helper, type Lab, ROOT, start } from './lab.ts'
import { bytesMoved } from './processes.ts'

const SCRIPT = readFileSync(new URL('../../../native/start.sh', import.meta.url), 'utf8')
const START = /^exec node .*"\$@"/m.exec(SCRIPT)?.[0]

/** The entry that `npm start` runs: that of the bundle, which is made where it is not there. */
export const BUNDLE = execFileSync('sh', ['native/bundle.sh'], { cwd: ROOT, encoding: 'utf8' }).trim()

/** That of the sources. */
export const SOURCES = 'supervisors/main.ts'

/** What a daemon is started with. */
export interface DaemonOptions {
  readonly dataDir: string
  readonly demo?: boolean
  /** Its target. */
  readonly nt4?: string
  /** Whether streams give way when the machine has too little; default off, or that would be measured too. */
  readonly guard?: 'on' | 'off'
  /** As in NODE_OPTIONS. */
  readonly nodeOptions?: string
  /** Its entry; default that of the bundle. */
  readonly main?: string
  readonly env?: Readonly<Record<string, string>>
  /** What root does first in a shell; what it mounts, only this daemon sees. */
  readonly prepare?: string
}

/** A daemon whose API answers. url: without a slash at the end. */
export interface Daemon extends Helper {
  readonly url: string
}

/** Starts a daemon and waits until it says that it is ready. */
export const startDaemon = async (lab: Lab, options: DaemonOptions): Promise<Daemon> => {
  const { dataDir, demo = false, nt4 = 'serve:127.0.0.1:0', guard = 'off' } = options
  const { nodeOptions = '', main = BUNDLE, env = {}, prepare } = options
  const settings = {
    'data-dir': dataDir,
    'media-roots': lab.folder,
    http: '127.0.0.1:0',
    nt4,
    guard,
    demo: demo ? '1' : '0',
    log: 'json:info',
  }
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const path = `${dirname(process.execPath)}:${process.env.PATH}`
  const own = prepare === undefined ? [] : ['unshare', '--mount']
  const script = prepare === undefined ? (START as string) : `${prepare} && ${START}`
  const [program = '', ...args] = [...own, 'sh', '-c', script, 'vedette', ...flags]
  const helper = start(lab, program, args, {
    PATH: path,
    NODE_OPTIONS: nodeOptions,
    main, // as native/start.sh calls it
    ...env,
  })
  for (;;) {
    const { url, level, message } = JSON.parse(await helper.line()) as Record<string, string>
    if (url) return { ...helper, url }
    if (level === 'error') lab.say(`the daemon says: ${message}`)
  }
}

export const getJson = async <T>(url: string): Promise<T> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

/** Creates a stream and waits until it is live. */
export const addStream = async ({ url }: Daemon, manifest: StreamManifest & { readonly id: string }): Promise<void> => {
  const body = JSON.stringify(manifest)
  const response = await fetch(`${url}/v1/streams`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  if (!response.ok) throw new Error(`the stream ${manifest.id} is refused: ${await response.text()}`)
  if (manifest.enabled !== false) await live(url, manifest.id)
}

/** A stream's figures as `/v1/streams/{id}/metrics` gives them. */
export interface Metrics {
  readonly state: string
  readonly engine_pid: number
  readonly frames: number
  readonly skipped: number
  readonly fps: number
}

export const metrics = ({ url }: Pick<Daemon, 'url'>, id: string): Promise<Metrics> =>
  getJson(`${url}/v1/streams/${id}/metrics`)

const COUNTED_MS = 5_000

/** How many frames of these streams have been processed, together. */
export const framesOf = async (daemon: Daemon, ids: readonly string[]): Promise<number> =>
  (await Promise.all(ids.map((id) => metrics(daemon, id)))).reduce((sum, { frames }) => sum + frames, 0)

/** What the control process reads and writes per frame of its streams, with the little that it says besides. */
export const frameBytes = async (daemon: Daemon, ...ids: readonly string[]): Promise<FrameBytes> => {
  const before = await framesOf(daemon, ids)
  const start = bytesMoved(daemon.pid)
  await delay(COUNTED_MS)
  const end = bytesMoved(daemon.pid)
  const frames = (await framesOf(daemon, ids)) - before
  return {
    result: Math.round((end.read - start.read) / frames),
    topics: Math.round((end.written - start.written) / frames),
  }
}

const LIVE_LIMIT_MS = 15_000

const live = async (url: string, id: string): Promise<void> => {
  for (const endMs = Date.now() + LIVE_LIMIT_MS; ; await delay(50)) {
    const { state, fault } = await getJson<Metrics & { readonly fault?: unknown }>(`${url}/v1/streams/${id}/metrics`)
    if (state === 'live') return
    if (Date.now() > endMs) throw new Error(`the stream ${id} is ${state}: ${JSON.stringify(fault)}`)
  }
}
