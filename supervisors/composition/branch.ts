// A branch of the tree: what one subject brings to the service, and what it starts.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import type { EventKind } from '../../machines/events/kind.ts'
import type { Collection } from '../../machines/settings/collection.ts'
import { type Given, type Needs, type Resolve, resolveNeeds, type Token } from '../../machines/token.ts'
import type { Options } from '../options.ts'
import { type Binding, offer } from './container.ts'

/** A port as a branch brings it: the real one, and the fake. */
export interface PortPair {
  readonly device: (options: Options) => Binding
  readonly fake: Binding
}

/**
 * Declares a port. device: the real one; fake: one without a device. Each is made when it is first needed, of what it
 * needs itself.
 */
export const port = <T, N extends Needs = Record<never, never>>(
  each: Token<T>,
  { needs = {} as N, device, fake }: PortMakers<T, N>,
): PortPair => ({
  device: (options) => offer(each, needs, (parts) => device(options, parts)),
  fake: offer(each, needs, fake),
})

interface PortMakers<T, N extends Needs> {
  readonly needs?: N
  readonly device: (options: Options, parts: Given<N>) => T
  readonly fake: (parts: Given<N>) => T
}

/** What one subject brings to the service. */
export interface Branch {
  /** Of documents that it has stored. */
  readonly collections: readonly Collection[]
  /** The kinds that it publishes, besides the events of its collections. */
  readonly events: readonly EventKind[]
  /** What it touches the outside with. */
  readonly ports: readonly PortPair[]
  /** What it makes for others. */
  readonly offers: readonly Binding[]
  /**
   * Its children, started in the order of the tree; whatever it starts stops with the scope. A fault of it is the end
   * of the start; a branch that the service can do without records its own.
   */
  readonly start: (resolve: Resolve) => Effect.Effect<void, Fault, Scope.Scope>
}

interface BranchParts<N extends Needs> extends Partial<Omit<Branch, 'start'>> {
  readonly needs: N
  readonly start: (parts: Given<N>) => Effect.Effect<void, Fault, Scope.Scope>
}

/** Declares a branch. needs: what it starts its children with. */
export const branch = <N extends Needs>({
  collections = [],
  events = [],
  ports = [],
  offers = [],
  needs,
  start,
}: BranchParts<N>): Branch => ({
  collections,
  events,
  ports,
  offers,
  start: (resolve) => start(resolveNeeds(resolve, needs)),
})
