// What is known of the programs of plugins, for as long as these are wanted: how each does, and who speaks with it now.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../machines/errors/fault.ts'
import { Listeners, type OnBug } from '../../../machines/listeners.ts'
import { type InstalledPlugin, runsAs } from '../../../machines/plugins/installed.ts'
import type { PluginPanels } from '../../../machines/plugins/panel/plugin-panels.ts'
import { MAX_PLUGIN_CRASHES } from '../../../machines/plugins/plugin-machine.ts'
import type { Confinement } from '../../../machines/plugins/process/confinement.ts'
import type { PluginRun } from '../../../machines/plugins/process/plugin-run.ts'
import type { PluginAnswer, PluginRequest } from '../../../machines/plugins/process/route.ts'
import { untilHeard, untilSo } from '../../until-heard.ts'
import type { PluginRoutes, PluginRuns } from '../tokens.ts'
import type { PluginTalk } from './plugin-talk.ts'

const MAX_LINES = 100
const NOT_THERE: Omit<PluginRun, 'state'> = {
  restarts: 0,
  fault: null,
  confinement: [],
  refused: 0,
  refusal: null,
  lines: [],
}

/** Of one plugin. */
interface Runtime {
  readonly plugin: InstalledPlugin
  run: PluginRun
  /** Something of it runs, or is about to. */
  isHeld: boolean
  isWanted: boolean
  talk: PluginTalk | undefined
}

/** Written by the actors of plugins and their reconciler; read by all others. */
export class PluginRuntimes implements PluginRuns, PluginPanels, PluginRoutes {
  readonly #runtimes = new Map<string, Runtime>()
  readonly #changed: Listeners<string>
  readonly #givenUp: Listeners<{ readonly name: string; readonly fault: Fault }>
  readonly #panels = new Map<string, Listeners<unknown>>()
  readonly #printed: Listeners<{ readonly name: string; readonly line: string }>
  readonly #onBug: OnBug | undefined

  constructor(onBug?: OnBug) {
    this.#onBug = onBug
    this.#changed = new Listeners(onBug)
    this.#givenUp = new Listeners(onBug)
    this.#printed = new Listeners(onBug)
  }

  readonly whenUp = (plugin: InstalledPlugin): Effect.Effect<void, Fault> => {
    if (!plugin.manifest.program) return Effect.void
    const { name } = plugin.manifest
    return untilHeard<void, Fault>((done) => {
      const look = () => {
        const runtime = this.#runtimes.get(name)
        if (!runtime || !runsAs(runtime.plugin, plugin)) return
        const { state, fault } = runtime.run
        if (state === 'running') done(Effect.void)
        else if (fault) done(Effect.fail(fault))
      }
      const stop = this.#ofOne(name)(look)
      look()
      return stop
    })
  }

  readonly whenGone = (name: string): Effect.Effect<void> =>
    untilSo(this.#ofOne(name), () => !this.#runtimes.get(name)?.isHeld)

  #ofOne =
    (name: string) =>
    (changed: () => void): (() => void) =>
      this.#changed.add((which) => {
        if (which === name) changed()
      })

  readonly run = (name: string): PluginRun | undefined => this.#runtimes.get(name)?.run

  readonly onGivenUp = (listener: (name: string, fault: Fault) => void): (() => void) =>
    this.#givenUp.add(({ name, fault }) => listener(name, fault))

  /** Calls back with the name of a plugin of which there is news. */
  readonly onChanged = (listener: (name: string) => void): (() => void) => this.#changed.add(listener)

  readonly send = (name: string, message: unknown): Fault | undefined => {
    const talk = this.#runtimes.get(name)?.talk
    return talk ? talk.tellOfPanel(message) : notRunning(name)
  }

  readonly listen = (name: string, heard: (message: unknown) => void): (() => void) => {
    const listeners = this.#panels.get(name) ?? new Listeners<unknown>(this.#onBug)
    this.#panels.set(name, listeners)
    const stop = listeners.add(heard)
    return () => {
      stop()
      if (listeners.size === 0 && this.#panels.get(name) === listeners) this.#panels.delete(name)
    }
  }

  /** The plugins to which somebody listens. */
  get listenedTo(): readonly string[] {
    return [...this.#panels.keys()]
  }

  readonly listenToLines = (name: string, heard: (line: string) => void): (() => void) =>
    this.#printed.add((printed) => {
      if (printed.name === name) heard(printed.line)
    })

  readonly request = async (name: string, request: PluginRequest): Promise<PluginAnswer | Fault> => {
    const runtime = this.#runtimes.get(name)
    if (!runtime) return { code: 'plugin.not_found', detail: `no plugin ${name} is enabled here` }
    if (!runtime.plugin.manifest.provides.routes)
      return { code: 'plugin.no_route', detail: `the plugin ${name} provides no routes` }
    return runtime.talk ? runtime.talk.request(request) : notRunning(name)
  }

  /** One is about to be run. */
  hold(plugin: InstalledPlugin): void {
    const { name } = plugin.manifest
    this.#runtimes.set(name, {
      plugin,
      run: { state: 'starting', ...NOT_THERE },
      isHeld: true,
      isWanted: true,
      talk: undefined,
    })
    this.#changed.notify(name)
  }

  /** Nothing of it runs any more. */
  release(plugin: InstalledPlugin): void {
    const { name } = plugin.manifest
    const runtime = this.#runtimes.get(name)
    if (runtime?.plugin !== plugin) return
    runtime.isHeld = false
    if (!runtime.isWanted) this.#runtimes.delete(name)
    this.#changed.notify(name)
  }

  /** It is not wanted any more; what it left is forgotten when nothing of it runs. */
  forget(name: string): void {
    const runtime = this.#runtimes.get(name)
    if (!runtime) return
    runtime.isWanted = false
    if (!runtime.isHeld) this.#runtimes.delete(name)
  }

  /** How the machine of one stands. */
  show(name: string, to: Pick<PluginRun, 'state' | 'fault'>): void {
    const runtime = this.#runtimes.get(name)
    if (!runtime || runtime.run.state === 'given-up') return
    if (runtime.run.state === to.state && runtime.run.fault === to.fault) return
    const isRestart = to.state === 'starting' && runtime.run.state === 'waiting'
    const fault = to.state === 'given-up' && to.fault ? givenUp(to.fault) : to.fault
    runtime.run = { ...runtime.run, ...to, fault, restarts: runtime.run.restarts + Number(isRestart) }
    this.#changed.notify(name)
    if (to.state === 'given-up' && fault) this.#givenUp.notify({ name, fault })
  }

  /** Who speaks with the program; undefined: nobody, as it is not up. */
  connect(name: string, talk: PluginTalk | undefined): void {
    const runtime = this.#runtimes.get(name)
    if (runtime) runtime.talk = talk
  }

  confine(name: string, confinement: readonly Confinement[]): void {
    this.#set(name, () => ({ confinement }))
  }

  /** Told for each lie; the first is news. */
  refuse(name: string, refusal: string): void {
    this.#set(name, ({ refused }) => ({ refused: refused + 1, refusal }))
  }

  /** A line that it printed. */
  print(name: string, line: string): void {
    this.#set(name, ({ lines }) => ({ lines: [...lines.slice(1 - MAX_LINES), line] }))
    this.#printed.notify({ name, line })
  }

  /** To all open panels of a plugin. */
  tellPanels(name: string, message: unknown): void {
    this.#panels.get(name)?.notify(message)
  }

  #set(name: string, part: (run: PluginRun) => Partial<PluginRun>): void {
    const runtime = this.#runtimes.get(name)
    if (runtime) runtime.run = { ...runtime.run, ...part(runtime.run) }
  }
}

const notRunning = (name: string): Fault => ({
  code: 'plugin.not_running',
  detail: `the program of the plugin ${name} is not up; it may be being started again, so try it again in a second`,
})

const givenUp = ({ detail, ...fault }: Fault): Fault => ({
  ...fault,
  detail: `Its program failed ${MAX_PLUGIN_CRASHES} times in a row, and is not started again by itself. ${detail}`,
})
