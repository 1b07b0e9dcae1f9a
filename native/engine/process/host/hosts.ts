// The workers of an engine, and its processes of plugins: made before the plan that needs them, and ended after it.
// Loaded with the first plan that has such a step.
import { LOOK_EVERY_MS } from '../../../../machines/engine/health.ts'
import type { Plan, PlanStep, StepParams } from '../../../../machines/pipeline/graph.ts'
import { MAX_PLUGIN_STEPS, type PluginStep } from '../../../../machines/pipeline/plugin-step.ts'
import { MAX_WORKERS } from '../../../../machines/pipeline/workers.ts'
import type { Labels } from '../../protocol/results.ts'
import type { Addon } from '../addon.ts'
import { Host } from './host.ts'
import type { KeptHost } from './kept-host.ts'
import type { HostedInput, HostedStep, HostType } from './module.ts'
import { hostTypeOf } from './modules.ts'
import { PluginHost } from './plugin-host.ts'

/** A plan that is tried is most often run right after, and somebody who switches goes back. */
const KEPT_MS = 10_000

/** A plan whose steps have all that does their work. */
export interface HostedPlan {
  /** As the addon takes it. */
  readonly plan: Plan
  readonly labels: Labels
  /** It is run from now on. */
  readonly adopt: () => void
}

interface Kept {
  readonly host: KeptHost
  /** While no plan has it. */
  untilMs: number
}

/** What of the addon they need. */
type NativeSides = Pick<Addon, 'hosts' | 'plugins'>

/** What does the work of a step, and by what it is another one. */
interface Maker {
  readonly key: string
  readonly make: () => KeptHost
}

export class Hosts {
  readonly #native: NativeSides
  /** By what makes a worker another one. */
  readonly #kept = new Map<string, Kept>()
  #adopted: ReadonlySet<string> = new Set()
  /** Steps of the plan that runs which plugins do, by their ids. */
  #ofPlugins: ReadonlySet<string> = new Set()
  /** Of plans that are being made, however long that takes. */
  readonly #wanted = new Set<ReadonlySet<string>>()
  readonly #keptMs: number
  #timer: NodeJS.Timeout | undefined

  /** keptMs: how long a worker stays that no plan has. */
  constructor(native: NativeSides, keptMs = KEPT_MS) {
    this.#native = native
    this.#keptMs = keptMs
  }

  /**
   * Makes a plan when all of its workers are ready, and keeps them meanwhile. Throws an error with the code
   * `engine.bad_task` and a sentence, or what `make` throws. A step that was in a plan before, with the same parameters
   * but for live ones, keeps its worker.
   */
  async during<Made>(plan: Plan, make: (hosted: HostedPlan) => Promise<Made>): Promise<Made> {
    const keys = new Set<string>()
    this.#wanted.add(keys)
    try {
      return await make(await this.#ready(plan, keys))
    } finally {
      this.#wanted.delete(keys)
      for (const key of keys) this.#keepOn(key)
    }
  }

  async #ready(plan: Plan, keys: Set<string>): Promise<HostedPlan> {
    const hosted = plan.steps.filter(({ type }) => hostTypeOf(type))
    const ofPlugins = plan.steps.filter(({ plugin }) => plugin)
    if (ofPlugins.length > MAX_PLUGIN_STEPS)
      throw refused(`${ofPlugins.length} of its steps are done by plugins; an engine has ${MAX_PLUGIN_STEPS}`)
    if (hosted.length > MAX_WORKERS)
      throw refused(`${hosted.length} of its steps are done by workers; an engine has ${MAX_WORKERS} for a pipeline`)
    const labels = new Map<string, readonly string[]>()
    const numbers = new Map<string, number>()
    for (const step of [...hosted, ...ofPlugins]) {
      const { key, make } = step.plugin ? this.#ofPlugin(step, step.plugin) : this.#ofWorker(plan, step, labels)
      keys.add(key)
      const { host } = this.#kept.get(key) ?? this.#make(key, make)
      await host.ready.catch((error: Error) => {
        this.#kept.delete(key)
        throw refused(`step ${step.id} cannot be begun: ${error.message}`)
      })
      numbers.set(step.id, host.number)
      if (host.labels) labels.set(step.id, host.labels)
    }
    const steps = plan.steps.map((step) => withHost(step, numbers.get(step.id)))
    const ids = new Set(ofPlugins.map(({ id }) => id))
    return { plan: { ...plan, steps }, labels, adopt: () => this.#adopt(keys, ids) }
  }

  /** Parameters for steps that run, as the addon takes them. */
  paramsFor(steps: readonly StepParams[]): readonly StepParams[] {
    return steps.map((step) => (this.#ofPlugins.has(step.id) ? { id: step.id, params: toldParams(step.params) } : step))
  }

  #ofWorker(plan: Plan, step: PlanStep, labels: Labels): Maker {
    const type = hostTypeOf(step.type) as HostType
    const told = toldOf(plan, step, type, labels)
    return {
      key: JSON.stringify([told, type.version?.(step.params)]),
      make: () => new Host(this.#native.hosts, told, type),
    }
  }

  /** All of its parameters are live: it is another process when it is another program. */
  #ofPlugin({ id, params }: PlanStep, plugin: PluginStep): Maker {
    return {
      key: JSON.stringify([id, plugin]),
      make: () => new PluginHost(this.#native.plugins, { id, plugin, params }),
    }
  }

  /** Whoever waits for one of them does so no longer. */
  end(): void {
    clearInterval(this.#timer)
    for (const { host } of this.#kept.values()) void host.end()
    this.#kept.clear()
  }

  #make(key: string, make: () => KeptHost): Kept {
    this.#sweep(() => true)
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
    const kept = { host: make(), untilMs: performance.now() + this.#keptMs }
    this.#kept.set(key, kept)
    return kept
  }

  #adopt(keys: ReadonlySet<string>, ofPlugins: ReadonlySet<string>): void {
    for (const key of this.#adopted) this.#keepOn(key)
    this.#adopted = keys
    this.#ofPlugins = ofPlugins
  }

  #keepOn(key: string): void {
    const kept = this.#kept.get(key)
    if (kept) kept.untilMs = performance.now() + this.#keptMs
  }

  #look(): void {
    for (const { host } of this.#kept.values()) host.look()
    const nowMs = performance.now()
    this.#sweep(({ untilMs }) => untilMs < nowMs)
    if (this.#kept.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /**
   * Ends those that no plan has and that are not wanted any more. The previous plan has them until the next picture.
   */
  #sweep(isOver: (kept: Kept) => boolean): void {
    const wanted = [...this.#wanted]
    for (const [key, kept] of this.#kept) {
      if (this.#adopted.has(key) || wanted.some((keys) => keys.has(key)) || kept.host.isUsed || !isOver(kept)) continue
      this.#kept.delete(key)
      void kept.host.end()
    }
  }
}

/** Live parameters are the step's alone: they change without another worker, so that it is not told of them. */
const toldOf = (plan: Plan, step: PlanStep, { inputs = [], live }: HostType, labels: Labels): HostedStep => {
  const params = Object.fromEntries(Object.entries(step.params).filter(([name]) => !live.includes(name)))
  const connected = inputs.flatMap((input, port): readonly HostedInput[] => {
    const slot = step.inputs[port]
    if (slot === undefined || slot === -1) return []
    const named = labels.get(plan.steps.find(({ outputs }) => outputs.includes(slot))?.id ?? '')
    return [{ ...input, ...(named && { labels: named }) }]
  })
  return { id: step.id, type: step.type, params, inputs: connected }
}

/** As the addon takes it. */
const withHost = ({ plugin, ...step }: PlanStep, host: number | undefined): PlanStep => {
  if (host === undefined) return step
  if (plugin) return { ...step, type: 'plugin', params: { ...toldParams(step.params), host } }
  return { ...step, params: { ...step.params, host } }
}

/** Of a step that a plugin does: the addon hands them over as they are. */
const toldParams = ({ timeout_ms, ...params }: StepParams['params']): StepParams['params'] => ({
  timeout_ms,
  told: JSON.stringify(params),
})

const refused = (why: string): Error =>
  Object.assign(new Error(`the plan cannot be run: ${why}`), { code: 'engine.bad_task' })
