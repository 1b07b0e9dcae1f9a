// Request and reply with an actor. The answer comes at once when the actor cannot take the command now, and never later than the limit.
import type * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import type { AnyActorRef, EventObject } from 'xstate'
import type { Fault, Reply } from '../machines/errors/fault.ts'

/** An order to an actor, without the number that ties the reply to it. */
export type Command = EventObject & Readonly<Record<string, unknown>>

let lastAsk = 0

/**
 * Sends a command and waits for its reply.
 *
 * Refused with `actor.not_now` when the actor's present state does not take the command (xstate would drop it silently). Failed with `actor.timeout`
 * when no reply came within the limit (2 s by default), with `actor.ended` when the actor ended before it answered.
 */
export const ask = <Value = unknown>(
  actor: AnyActorRef,
  command: Command,
  limit: Duration.Input = '2 seconds',
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

/** `ask` as a promise, for callers outside of Effect. It never rejects. */
export const askNow = <Value = unknown>(
  actor: AnyActorRef,
  command: Command,
  limit?: Duration.Input,
): Promise<Reply<Value>> => Effect.runPromise(ask<Value>(actor, command, limit))

const takes = (actor: AnyActorRef, event: EventObject): boolean => {
  const snapshot = actor.getSnapshot()
  return snapshot.status === 'active' && snapshot.can(event)
}

const reply = <Value>(actor: AnyActorRef, event: Command & { readonly ask: number }) =>
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

const notNow = (actor: AnyActorRef, command: Command): Fault => ({
  code: 'actor.not_now',
  detail: `${command.type} is not possible while the state is ${JSON.stringify(actor.getSnapshot().value)}; try again later`,
})

const ended = (command: Command): Fault => ({
  code: 'actor.ended',
  detail: `the part that carries out ${command.type} stopped before it answered; the order may or may not have been carried out`,
})

const timeout = (command: Command): Fault => ({
  code: 'actor.timeout',
  detail: `no answer to ${command.type} in time; the order may still be carried out`,
})
