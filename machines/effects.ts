// How a machine names an effect it does not have: the actor gives it a body, and `satisfies Required<...>` there proves that none is missing.
import { fromPromise, type PromiseActorLogic } from 'xstate'

/**
 * Stands in a machine for an effect that its actor will provide.
 *
 * The body is made by `fromEffect` or `fromScoped` of actors/run.ts. Invoking the effect without a body is a bug and rejects.
 */
export const needed = <Output, Input = void>(name: string): PromiseActorLogic<Output, Input> =>
  fromPromise<Output, Input>(() =>
    Promise.reject(new Error(`the effect ${name} has no body; provide one in the actor`)),
  )
