// Request and reply with an actor. The answer comes at once when the actor cannot take the command now, and never later than the limit.
import type * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import type { AnyActorRef, EventObject } from 'xstate'
import type { Fault, Reply } from '../machines/fault.ts'

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
  Effect.callback<Reply<Value>>((resume) => {
    lastAsk += 1
    const event = { ...command, ask: lastAsk }
    if (!takes(actor, event)) return resume(Effect.succeed(unanswered('refused', event.ask, notNow(actor, command))))
    const replies = actor.on('reply', (reply) => {
      if (reply.ask === event.ask) resume(Effect.succeed(reply as Reply<Value>))
    })
    const gone = () => resume(Effect.succeed(unanswered('failed', event.ask, ended(command))))
    const life = actor.subscribe({ complete: gone, error: gone })
    actor.send(event)
    return Effect.sync(() => {
      replies.unsubscribe()
      life.unsubscribe()
    })
  }).pipe(
    Effect.timeoutOrElse({
      duration: limit,
      orElse: () => Effect.succeed(unanswered('failed', lastAsk, timeout(command))),
    }),
  )

const takes = (actor: AnyActorRef, event: EventObject): boolean => {
  const snapshot = actor.getSnapshot()
  return snapshot.status === 'active' && snapshot.can(event)
}

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
  detail: `the part that carries out ${command.type} stopped before it answered; it may or may not have been done`,
})

const timeout = (command: Command): Fault => ({
  code: 'actor.timeout',
  detail: `no answer to ${command.type} in time; it may still be carried out`,
})
