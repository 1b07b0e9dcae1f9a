// What is known of a supervised child: what its supervisor says of it, and what its actor says of itself. What people
// are shown follows from that.
import { type Fault, faultOf } from '../errors/fault.ts'

/**
 * A child as its supervisor knows it. starting: its first start, or one that was asked for. running: its actor exists.
 * restarting: it crashed, and is started again after a pause. failed: it crashed too often; it is tried again every 15
 * s.
 */
export interface ChildStatus {
  readonly id: string
  readonly state: 'starting' | 'running' | 'restarting' | 'failed'
  /** When the state began in which people are shown it (findPresent), or the first of a ROUTINE, Unix time. */
  readonly since_ms: number
  /** Starts after a crash, however they came about. */
  readonly restarts: number
  /** Of the latest crash or failure, until the child has come up again. */
  readonly fault: Fault | null
}

/** The tag of states in which an actor has not come up yet: what it crashed with before is still what is wrong. */
export const COMING_UP = 'coming-up'

/** The tag of states that follow one another while nothing happens: to look now and then is one thing to do. */
export const ROUTINE = 'routine'

/** As much of an actor's snapshot as anybody is shown. */
export interface ChildSnapshot {
  readonly status: string
  readonly value?: unknown
  readonly context?: unknown
  readonly output?: unknown
  readonly error?: unknown
  readonly hasTag?: (tag: never) => boolean
}

/** Whether an actor has got as far as it did before it crashed; one without the tag has, as soon as it is started. */
export const hasComeUp = (snapshot: ChildSnapshot): boolean =>
  snapshot.status === 'active' && !snapshot.hasTag?.(COMING_UP as never)

/** A child as people are shown it. isRunning: the state is its actor's own. */
export interface ChildPresent {
  readonly state: string
  readonly isRunning: boolean
  readonly fault: Fault | null
}

/**
 * The state and the fault of a child. snapshot: of its present actor, undefined while it has none. The actor speaks for
 * itself while it runs.
 */
export const findPresent = (child: ChildStatus, snapshot: ChildSnapshot | undefined): ChildPresent => {
  const down = (state: ChildStatus['state'], fault: Fault | null) => ({ state, fault, isRunning: false })
  if (child.state !== 'running') return down(child.state, child.fault)
  if (!snapshot) return down('starting', child.fault)
  if (snapshot.status === 'error') return down('restarting', faultOf(snapshot.error))
  const { outcome, fault } = (snapshot.output ?? {}) as { readonly outcome?: unknown; readonly fault?: unknown }
  if (outcome === 'crashed') return down('restarting', faultOf(fault))
  const own = (snapshot.context as { readonly fault?: Fault | null } | undefined)?.fault ?? null
  return { state: nameOfState(snapshot.value), fault: own ?? child.fault, isRunning: true }
}

/** `live`, or `opening.camera` for a state within a state. */
const nameOfState = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value as object)
        .map(([outer, inner]) => `${outer}.${nameOfState(inner)}`)
        .join(' ')
