// Walks a machine over all its configurations. Guards and assigns run, effects do not; no clock, no actor.
import assert from 'node:assert/strict'
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type EventObject,
  getInitialMicrosteps,
  getMicrosteps,
} from 'xstate'
import type { Reply } from '../../machines/errors/fault.ts'

/**
 * An event with its payload; `xstate.done.actor.<invoke id>` with `output` and `xstate.error.actor.<invoke id>` with
 * `error` are events too.
 */
export type Sample = EventObject & Readonly<Record<string, unknown>>

/**
 * What the machine did on the way into a configuration: each action has `type` and `params` (an emitted event is the
 * `event` in them).
 */
export interface Step {
  readonly before: AnyMachineSnapshot | undefined
  readonly event: Sample
  readonly snapshot: AnyMachineSnapshot
  readonly actions: readonly { readonly type: string; readonly params?: unknown }[]
}

/** How to walk a machine. */
export interface WalkOptions {
  readonly input?: unknown
  /** Events with payloads; they replace the empty event of the same type that the walk would try. */
  readonly samples?: readonly Sample[]
  /** The invariant, asserts on each step. */
  readonly check?: (step: Step) => void
  /**
   * What tells configurations apart, by default the state and the context as JSON; leave out what does not steer the
   * machine.
   */
  readonly sameAs?: (snapshot: AnyMachineSnapshot) => unknown
  /** States known to be out of reach of this walk, each a dotted path; walking into one of them fails. */
  readonly unreached?: readonly string[]
}

/** What it has answered on the way. */
export const repliesIn = (actions: Step['actions']): readonly Reply[] =>
  actions.filter(({ type }) => type === 'xstate.emit').map(({ params }) => (params as { event: Reply }).event)

const MAX_CONFIGURATIONS = 20_000 // more means a counter or list that does not saturate

/**
 * Fails when a state is not reached, a path is stuck in a state that is not final, the machine breaks, a sample is
 * unknown, or `check` throws.
 */
export const walk = (machine: AnyStateMachine, options: WalkOptions = {}) => {
  const samples = options.samples ?? []
  const sampled = new Set(samples.map((sample) => sample.type))
  const keyOf = (snapshot: AnyMachineSnapshot) =>
    JSON.stringify([snapshot.value, options.sameAs ? options.sameAs(snapshot) : snapshot.context], plain)
  const reached = new Set<string>()
  const known = new Map<string, { readonly snapshot: AnyMachineSnapshot; readonly path: string }>()
  const queue: string[] = []
  let steps = 0

  const arrive = (before: AnyMachineSnapshot | undefined, event: Sample, path: string): string => {
    const micro = before
      ? getMicrosteps(machine, before, event as never)
      : getInitialMicrosteps(machine, options.input as never)
    const snapshot = (micro.at(-1)?.[0] ?? before) as AnyMachineSnapshot
    assert.notEqual(snapshot.status, 'error', `the machine breaks on ${path}: ${String(snapshot.error)}`)
    for (const [passed] of micro) for (const name of statesOf(passed as AnyMachineSnapshot)) reached.add(name)
    const actions = micro.flatMap(([, executed]) => executed)
    options.check?.({ before, event, snapshot, actions })
    steps += 1
    const key = keyOf(snapshot)
    if (known.has(key)) return key
    known.set(key, { snapshot, path })
    queue.push(key)
    assert.ok(known.size <= MAX_CONFIGURATIONS, `more than ${MAX_CONFIGURATIONS} configurations, the latest by ${path}`)
    return key
  }

  arrive(undefined, { type: 'xstate.init', input: options.input }, 'start')
  for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
    const { snapshot, path } = known.get(key) as { snapshot: AnyMachineSnapshot; path: string }
    if (snapshot.status === 'done') continue
    const generated = eventsOf(snapshot).filter((type) => !sampled.has(type))
    const next = [...generated.map((type): Sample => ({ type })), ...samples].filter((event) =>
      snapshot.can(event as never),
    )
    const ways = next.map((event) => arrive(snapshot, event, `${path} > ${event.type}`))
    assert.ok(
      ways.some((way) => way !== key),
      `stuck in ${JSON.stringify(snapshot.value)} by ${path}`,
    )
  }

  const unknown = samples.filter(({ type }) => !machine.events.some((descriptor) => fits(type, descriptor)))
  assert.deepEqual(
    unknown.map(({ type }) => type),
    [],
    'samples that no state handles',
  )
  const missed = namesBelow(machine.root).filter((name) => !reached.has(name))
  assert.deepEqual(missed.sort(), [...(options.unreached ?? [])].sort(), 'states not reached')
  return { configurations: known.size, steps, reached }
}

const fits = (type: string, descriptor: string): boolean =>
  descriptor.endsWith('*') ? type.startsWith(descriptor.slice(0, -1)) : type === descriptor

const eventsOf = (snapshot: AnyMachineSnapshot): readonly string[] => [
  ...new Set(
    snapshot._nodes.flatMap((node) => node.ownEvents as string[]).filter((type) => type !== '' && !type.includes('*')),
  ),
]

const namesBelow = (node: AnyStateNode): readonly string[] =>
  Object.values<AnyStateNode>(node.states).flatMap((child) => [child.path.join('.'), ...namesBelow(child)])

const statesOf = (snapshot: AnyMachineSnapshot): readonly string[] =>
  snapshot._nodes.map((node) => node.path.join('.')).filter((name) => name !== '')

const plain = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)
