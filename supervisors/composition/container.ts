// What binds things to tokens: tsyringe, behind typed tokens that the compiler checks, and without decorators, which
// Node does not run.
import 'reflect-metadata/lite'
import { container, instanceCachingFactory } from 'tsyringe'
import { type Given, type Needs, type Resolve, resolveNeeds, type Token } from '../../machines/token.ts'

/**
 * A thing that is offered: its token, and how it is made of others. Made when it is first needed, once for each
 * service.
 */
export interface Binding {
  readonly token: Token<unknown>
  readonly make: (resolve: Resolve) => unknown
}

/** Offers a thing that is made of others. resolve: for a thing that finds out only later what it needs. */
export const offer = <T, N extends Needs>(
  each: Token<T>,
  needs: N,
  make: (parts: Given<N>, resolve: Resolve) => T,
): Binding => ({ token: each, make: (resolve) => make(resolveNeeds(resolve, needs), resolve) })

/** Offers a thing that is there already. It belongs to its maker. */
export const value = <T>(each: Token<T>, thing: T): Binding => ({ token: each, make: () => thing })

/** The things of one service. */
export interface Container {
  readonly resolve: Resolve
  /** Of two things with one token the one that was bound last counts. */
  readonly bind: (...bindings: readonly Binding[]) => void
}

/** A container of its own, so that two services in one process share nothing. */
export const createContainer = (): Container => {
  const own = container.createChildContainer()
  const resolve: Resolve = <T>(each: Token<T>) => own.resolve<T>(each as symbol)
  return {
    resolve,
    bind: (...bindings) => {
      for (const { token, make } of bindings)
        own.register(token as symbol, { useFactory: instanceCachingFactory(() => make(resolve)) })
    },
  }
}
