// Names of things that one part of the service offers and others need, with their types: what binds the layers without
// one knowing the other.

declare const typeOf: unique symbol

/** Names a thing, and carries its type. */
export type Token<T> = symbol & { readonly [typeOf]?: T }

/** Makes a token. name: for messages; two tokens of one name are two things. */
export const token = <T>(name: string): Token<T> => Symbol(name) as Token<T>

/** Finds the thing of a token; throws when nobody offers it. */
export type Resolve = <T>(each: Token<T>) => T

/** What a part of the service needs: tokens, under its own names for the things. */
export type Needs = Readonly<Record<string, Token<unknown>>>

/** The things that were asked for. */
export type Given<N extends Needs> = { readonly [Name in keyof N]: N[Name] extends Token<infer T> ? T : never }

/** Resolves all needs. */
export const resolveNeeds = <N extends Needs>(resolve: Resolve, needs: N): Given<N> =>
  Object.fromEntries(Object.entries(needs).map(([name, each]) => [name, resolve(each)])) as Given<N>
