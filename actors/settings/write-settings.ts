// Orders to the settings, as Effects.
import type * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { AnswerOf, Command } from '../../machines/supervision/actors.ts'
import { ask, DISK_LIMIT } from '../ask.ts'
import type { Directory } from '../directory.ts'

/** Carries out an order to the settings; fails with why it cannot be. */
export type WriteSettings = (order: Command<'settings'>) => Effect.Effect<void, Fault>

/** The same, and answers with what was written. */
export type OrderSettings = (order: Command<'settings'>) => Effect.Effect<AnswerOf<'settings'>, Fault>

export const settingsWriter = (directory: Pick<Directory, 'actor'>): WriteSettings => {
  const order = settingsOrders(directory)
  return (each) => Effect.asVoid(order(each))
}

/** limit: for the answer. */
export const settingsOrders =
  ({ actor }: Pick<Directory, 'actor'>, limit: Duration.Input = DISK_LIMIT): OrderSettings =>
  (order) =>
    Effect.suspend(() => {
      const settings = actor('settings')
      if (!settings) return Effect.fail(settingsAway)
      return Effect.flatMap(ask(settings, order, limit), (reply) =>
        reply.outcome === 'done' ? Effect.succeed(reply.value as AnswerOf<'settings'>) : Effect.fail(reply.fault),
      )
    })

const settingsAway: Fault = {
  code: 'actor.unavailable',
  detail: 'The settings are being restarted, so that nothing can be stored for a moment.',
}
