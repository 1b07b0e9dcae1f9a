// Request and reply with an actor. The answer comes at once when the actor cannot take the command now, and never later
// than the limit.

import type * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import type { ActorRef, AnyActorRef, EventObject } from 'xstate'
import type { Fault, Reply } from '../machines/errors/fault.ts'
import { oneLine } from '../machines/schema/one-line.ts'
import type { CommandIn, ValueIn } from '../machines/supervision/actors.ts'

/** An actor that is told `Event` and says `Said`, whatever its state looks like. */
// biome-ignore lint/suspicious/noExplicitAny: a snapshot of anything
export type Askable<Event extends EventObject, Said extends EventObject> = ActorRef<any, Event, Said>

let lastAsk = 0

/**
 * Sends a command and waits for its reply.
 *
 * Refused with `actor.not_now` when the actor's present state does not take the command (xstate would drop it
 * silently). Failed with `actor.timeout` when no reply came within the limit (2 s by default), with `actor.ended` when
 * the actor ended before it answered.
 */
export const ask = <Event extends EventObject, Said extends EventObject>(
  actor: Askable<Event, Said>,
  command: CommandIn<Event>,
  limit: Duration.Input = DEFAULT_LIMIT,
): Effect.Effect<Reply<ValueIn<Said>>> => askAnyone(actor, command as EventObject, limit)

/** `ask` as a promise, for callers outside of Effect. It never rejects. */
export const askNow = <Event extends EventObject, Said extends EventObject>(
  actor: Askable<Event, Said>,
  command: CommandIn<Event>,
  limit?: Duration.Input,
): Promise<Reply<ValueIn<Said>>> => Effect.runPromise(ask(actor, command, limit))

const DEFAULT_LIMIT: Duration.Input = '2 seconds'

/**
 * For an answer that waits for the disk: a card under load takes two seconds for a sync, and others may stand before.
 */
export const DISK_LIMIT: Duration.Input = '15 seconds'

/** The compiler has seen that the actor takes the command. */
const askAnyone = <Value>(
  actor: AnyActorRef,
  command: EventObject,
  limit: Duration.Input,
): Effect.Effect<Reply<Value>> =>
  Effect.suspend(() => {
    lastAsk += 1
    const event = { ...command, ask: lastAsk }
    if (!takes(actor, event)) return Effect.succeed(unanswered('refused', event.ask, notNow(actor, command)))
    return Effect.timeoutOrElse(reply<Value>(actor, event), {
      duration: limit,
      orElse: () => Effect.succeed(unanswered('failed', event.ask, timeout(command))),
    })
  })

const takes = (actor: AnyActorRef, event: EventObject): boolean => {
  const snapshot = actor.getSnapshot()
  return snapshot.status === 'active' && snapshot.can(event)
}

const reply = <Value>(actor: AnyActorRef, event: EventObject & { readonly ask: number }) =>
  Effect.callback<Reply<Value>>((resume) => {
    const answer = (reply: Reply<Value>) => {
      stopListening()
      resume(Effect.succeed(reply))
    }
    const gone = () => answer(unanswered('failed', event.ask, ended(event)))
    const replies = actor.on('reply', (reply) => {
      if (reply.ask === event.ask) answer(reply as Reply<Value>)
    })
    const life = actor.subscribe({ complete: gone, error: gone })
    const stopListening = () => {
      replies.unsubscribe()
      life.unsubscribe()
    }
    actor.send(event)
    return Effect.sync(stopListening)
  })

const unanswered = (outcome: 'refused' | 'failed', number: number, fault: Fault): Reply<never> => ({
  type: 'reply',
  ask: number,
  outcome,
  fault,
})

const notNow = (actor: AnyActorRef, command: EventObject): Fault => ({
  code: 'actor.not_now',
  detail: oneLine`
    ${command.type} is not possible while the state is ${JSON.stringify(actor.getSnapshot().value)}; try again later
  `,
})

const ended = (command: EventObject): Fault => ({
  code: 'actor.ended',
  detail: oneLine`
    the part that carries out ${command.type} stopped before it answered; the order may or may not have been carried out
  `,
})

const timeout = (command: EventObject): Fault => ({
  code: 'actor.timeout',
  detail: `no answer to ${command.type} in time; the order may still be carried out`,
})
