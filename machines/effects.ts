// How a machine names what it does not do itself: the actor gives it a body, and `satisfies Required<...>` there proves
// that none is missing.
import { type AnyActorLogic, type ContextFrom, type EventFrom, fromPromise, type PromiseActorLogic } from 'xstate'

/**
 * Stands in a machine for an effect that its actor will provide.
 *
 * The body is made by `fromEffect` or `fromScoped` of actors/run.ts. Invoking the effect without a body is a bug and
 * rejects.
 */
export const needed = <Output, Input = void>(name: string): PromiseActorLogic<Output, Input> =>
  fromPromise<Output, Input>(() =>
    Promise.reject(new Error(`the effect ${name} has no body; provide one in the actor`)),
  )

/** An action that a machine leaves to its actor. */
type ProvidedAction<Params> = (args: unknown, params: Params) => void

/**
 * Stands in a machine for an action that its actor will provide. Params: what it is given beside context and event.
 *
 * Without a body it does nothing, so that a machine can be walked by itself.
 */
export const providedAction =
  <Params = undefined>(): ProvidedAction<Params> =>
  () => {}

/** What the body of a provided action sees. */
interface ActionArgs<Machine extends AnyActorLogic> {
  readonly context: ContextFrom<Machine>
  readonly event: EventFrom<Machine>
  /** The running machine: what it is sent is taken after the action. */
  readonly self: { readonly send: (event: EventFrom<Machine>) => void }
}

/** What the actor of a machine gives its provided actions: a body for each. */
export type ActionBodies<Actions, Machine extends AnyActorLogic> = {
  readonly [Name in keyof Actions]: Actions[Name] extends ProvidedAction<infer Params>
    ? (args: ActionArgs<Machine>, params: Params) => void
    : never
}
