// Orders to the settings, for those who speak Effect.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import { ask } from '../ask.ts'
import type { Directory } from '../directory.ts'

/** Carries out an order to the settings; fails with why it cannot be. */
export type WriteSettings = (order: Command<'settings'>) => Effect.Effect<void, Fault>

export const settingsWriter =
  ({ actor }: Pick<Directory, 'actor'>): WriteSettings =>
  (order) =>
    Effect.suspend(() => {
      const settings = actor('settings')
      if (!settings) return Effect.fail(settingsAway)
      return Effect.flatMap(ask(settings, order), (reply) =>
        reply.outcome === 'done' ? Effect.void : Effect.fail(reply.fault),
      )
    })

const settingsAway: Fault = {
  code: 'actor.unavailable',
  detail: 'The settings are being restarted, so that nothing can be stored for a moment.',
}
