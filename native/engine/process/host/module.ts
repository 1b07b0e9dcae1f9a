// What does the work of a step in JavaScript: its module, as whoever writes one sees it.
import type { Limits } from '../../../../machines/engine/health.ts'
import type { OutputKind } from '../../../../machines/engine/result.ts'

type Params = Readonly<Record<string, unknown>>

/**
 * What a worker is told of its step. inputs: those that are connected, by their ports; labels: names of the classes,
 * where they have some.
 */
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

/** Work that is ready to begin. */
export interface HostWork {
  /** The longest request and answer, 1 to 64 MiB each. */
  readonly inputBytes: number
  /** The longest request and answer, 1 to 64 MiB each. */
  readonly outputBytes: number
  /** At most 64 finite numbers, which the step's C++ side reads when it is made. */
  readonly facts?: readonly number[]
  /** Names of the classes that it tells apart. */
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

/** A type of nodes that JavaScript does. */
export interface HostType {
  /** In the worker alone. */
  readonly load: () => Promise<{ readonly prepare: Prepare }>
  /** Of the heap of its JavaScript, for a step with these parameters. */
  readonly memoryMb: (params: Params) => number
  /** Its ports, in their order, where it has some without pictures. */
  readonly inputs?: readonly Pick<HostedInput, 'port' | 'kind'>[]
  /** Parameters that the step alone has and may change while it runs, as the registry says. */
  readonly live: readonly string[]
  /** What of the engine's its worker sees; default nothing. */
  readonly environment?: readonly string[]
  /** Of what it reads beside its parameters, told when a plan is made: with another one another worker begins. */
  readonly version?: (params: Params) => string
  /** When it counts as hanging, judged by what its thread does. */
  readonly prepareLimits: Limits
  /** When it counts as hanging, judged by what its thread does. */
  readonly runLimits: Limits
}
