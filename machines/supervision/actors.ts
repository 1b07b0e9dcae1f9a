// The actors of the service by name, so that the compiler knows what each of them is told and what it answers. Each
// room that has a machine which runs under a name of its own says so here by `declare module`; a name that nobody
// declared, or a command that its actor does not take, does not compile.
import type { ActorRefFrom, AnyStateMachine, EmittedFrom, EventFromLogic } from 'xstate'
import type { Reply } from '../errors/fault.ts'

/** Name to machine. A name with a variable part is a template: `streams/${string}`. */
// biome-ignore lint/suspicious/noEmptyInterface: the rooms fill it
export interface Actors {}

/** `settings`, or `streams/front`. */
export type ActorName = keyof Actors

type MachineOf<Name extends ActorName> = Actors[Name] extends AnyStateMachine ? Actors[Name] : never

/** The actor of that name. */
export type ActorNamed<Name extends ActorName> = ActorRefFrom<MachineOf<Name>>

/** What of an actor's events is a command: something it answers, without the number that ties the answer to it. */
export type CommandIn<Event> = Event extends { readonly ask: number } ? Omit<Event, 'ask'> : never

/** The value of the answers among what an actor says. */
export type ValueIn<Said> = Said extends Reply & { readonly outcome: 'done'; readonly value?: infer Value }
  ? Value
  : never

/** A command that the actor of that name takes. */
export type Command<Name extends ActorName = ActorName> = CommandIn<EventFromLogic<MachineOf<Name>>>

/** What the actor of that name answers when a command is done. */
export type AnswerOf<Name extends ActorName> = ValueIn<EmittedFrom<MachineOf<Name>>>
