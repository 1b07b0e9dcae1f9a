// Waiting for the settings to be so.
import type * as Effect from 'effect/Effect'
import type { SettingsStore } from '../../machines/settings/store.ts'
import { untilSo } from '../until-heard.ts'

/** Waits until something of them is so: nothing is woken until then but by a change of them. */
export const untilSettings = (settings: Pick<SettingsStore, 'subscribe'>, isSo: () => boolean): Effect.Effect<void> =>
  untilSo((changed) => {
    const subscription = settings.subscribe(changed)
    return () => subscription.unsubscribe()
  }, isSo)
