// What does the work of a step in JavaScript: its module, as whoever writes one sees it.
import type { Limits } from '../../../../machines/engine/health.ts'
import type { OutputKind } from '../../../../machines/engine/result.ts'

type Params = Readonly<Record<string, unknown>>

/** What a worker is told of its step. inputs: those that are connected, by their ports; labels: names of the classes, where they have some. */
export interface HostedStep {
  readonly id: string
  readonly type: string
  readonly params: Params
  readonly inputs: readonly HostedInput[]
}

/** An input without pictures. */
export interface HostedInput {
  readonly port: string
  readonly kind: OutputKind
  readonly labels?: readonly string[]
}

/** Called once, in the worker. What it throws refuses the plan, with that sentence. */
export type Prepare = (step: HostedStep) => Promise<HostWork> | HostWork

/**
 * Work that is ready to begin. inputBytes, outputBytes: the longest request and answer, 1 to 64 MiB each. facts: at most 64 finite numbers, which the step's C++ side reads
 * when it is made. labels: names of the classes that it tells apart.
 */
export interface HostWork {
  readonly inputBytes: number
  readonly outputBytes: number
  readonly facts?: readonly number[]
  readonly labels?: readonly string[]
  /** Called once, when the memory is there. */
  readonly start: (room: HostMemory) => HostRun
}

/** Where requests and answers stand. It stays where it is as long as the worker is there. */
export interface HostMemory {
  readonly input: ArrayBuffer
  readonly output: ArrayBuffer
}

/** Does a request of so many bytes, and says how long its answer is. What it throws costs this request alone. */
export type HostRun = (bytes: number) => number | Promise<number>

/**
 * A type of nodes that JavaScript does.
 *
 * load: in the worker alone. memoryMb: of the heap of its JavaScript, for a step with these parameters. inputs: its ports, in their order, where it has some without
 * pictures. live: parameters that the step alone has and may change while it runs, as the registry says. environment: what of the engine's its worker sees; default nothing. version: of what it reads beside its parameters, told when a plan is made: with another one
 * another worker begins. prepareLimits, runLimits: when it counts as hanging, judged by what its thread does.
 */
export interface HostType {
  readonly load: () => Promise<{ readonly prepare: Prepare }>
  readonly memoryMb: (params: Params) => number
  readonly inputs?: readonly Pick<HostedInput, 'port' | 'kind'>[]
  readonly live: readonly string[]
  readonly environment?: readonly string[]
  readonly version?: (params: Params) => string
  readonly prepareLimits: Limits
  readonly runLimits: Limits
}
