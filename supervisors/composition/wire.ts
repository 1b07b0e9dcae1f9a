// Constructor injection with tsyringe and without decorators, which Node does not run: typed tokens, checked by the compiler.
import 'reflect-metadata/lite'
import { container, type DependencyContainer, inject, injectable, Lifecycle } from 'tsyringe'

declare const typeOf: unique symbol

/** Names a thing that is injected, and carries its type. */
export type Token<T> = symbol & { readonly [typeOf]?: T }

export const token = <T>(name: string): Token<T> => Symbol(name) as Token<T>

type TokensFor<Parameters extends readonly unknown[]> = { [Index in keyof Parameters]: Token<Parameters[Index]> }

/** Says what a class is built from: one token per constructor parameter. */
export const wire = <C extends new (...parameters: never[]) => unknown>(
  Class: C,
  ...tokens: TokensFor<ConstructorParameters<C>>
): C => {
  for (const [index, each] of (tokens as symbol[]).entries()) inject(each)(Class, undefined as never, index)
  injectable()(Class as never)
  return Class
}

/** A container of its own, so that two services in one process share nothing. */
export const createContainer = (): DependencyContainer => container.createChildContainer()

/** A class built once per container that resolves it: for the root the service's own, for a child one incarnation's. */
export const provideClass = <T>(
  container: DependencyContainer,
  each: Token<T>,
  useClass: new (...parameters: never[]) => T,
): void => {
  container.register(each as symbol, { useClass: useClass as never }, { lifecycle: Lifecycle.ContainerScoped })
}

/** A thing that is owned elsewhere, by an Effect scope; no container disposes it. */
export const provideValue = <T>(container: DependencyContainer, each: Token<T>, value: T): void => {
  container.register(each as symbol, { useValue: value as never })
}

export const resolve = <T>(container: DependencyContainer, each: Token<T>): T => container.resolve<T>(each as symbol)
