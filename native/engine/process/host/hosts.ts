// The workers of an engine: made before the plan that needs them, and ended after it. Loaded with the first plan that
// has such a step.
import { LOOK_EVERY_MS } from '../../../../machines/engine/health.ts'
import type { Plan, PlanStep } from '../../../../machines/pipeline/graph.ts'
import { MAX_WORKERS } from '../../../../machines/pipeline/workers.ts'
import type { Labels } from '../../protocol/results.ts'
import type { NativeHosts } from '../addon.ts'
import { Host } from './host.ts'
import type { HostedInput, HostedStep, HostType } from './module.ts'
import { hostTypeOf } from './modules.ts'

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
  readonly host: Host
  /** While no plan has it. */
  untilMs: number
}

export class Hosts {
  readonly #native: NativeHosts
  /** By what makes a worker another one. */
  readonly #kept = new Map<string, Kept>()
  #adopted: ReadonlySet<string> = new Set()
  /** Of plans that are being made, however long that takes. */
  readonly #wanted = new Set<ReadonlySet<string>>()
  readonly #keptMs: number
  #timer: NodeJS.Timeout | undefined

  /** keptMs: how long a worker stays that no plan has. */
  constructor(native: NativeHosts, keptMs = KEPT_MS) {
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
    if (hosted.length > MAX_WORKERS)
      throw refused(`${hosted.length} of its steps are done by workers; an engine has ${MAX_WORKERS} for a pipeline`)
    const labels = new Map<string, readonly string[]>()
    const numbers = new Map<string, number>()
    for (const step of hosted) {
      const type = hostTypeOf(step.type) as HostType
      const told = toldOf(plan, step, type, labels)
      const key = JSON.stringify([told, type.version?.(step.params)])
      keys.add(key)
      const { host } = this.#kept.get(key) ?? this.#make(key, told, type)
      await host.ready.catch((error: Error) => {
        this.#kept.delete(key)
        throw refused(`step ${step.id} cannot be begun: ${error.message}`)
      })
      numbers.set(step.id, host.number)
      if (host.labels) labels.set(step.id, host.labels)
    }
    const steps = plan.steps.map((step) => withHost(step, numbers.get(step.id)))
    return { plan: { ...plan, steps }, labels, adopt: () => this.#adopt(keys) }
  }

  /** Whoever waits for one of them does so no longer. */
  end(): void {
    clearInterval(this.#timer)
    for (const { host } of this.#kept.values()) void host.end()
    this.#kept.clear()
  }

  #make(key: string, step: HostedStep, type: HostType): Kept {
    this.#sweep(() => true)
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
    const kept = { host: new Host(this.#native, step, type), untilMs: performance.now() + this.#keptMs }
    this.#kept.set(key, kept)
    return kept
  }

  #adopt(keys: ReadonlySet<string>): void {
    for (const key of this.#adopted) this.#keepOn(key)
    this.#adopted = keys
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

const withHost = (step: PlanStep, host: number | undefined): PlanStep =>
  host === undefined ? step : { ...step, params: { ...step.params, host } }

const refused = (why: string): Error =>
  Object.assign(new Error(`the plan cannot be run: ${why}`), { code: 'engine.bad_task' })
