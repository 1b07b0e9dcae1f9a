// Localization: it solves all cameras together, round by round. Its crash costs nobody but those who ask for that.
import {
  type LocalizationActions,
  type LocalizationEffects,
  type LocalizationEvent,
  localizationMachine,
} from '../../machines/localization/localization-machine.ts'
import { fromScoped, keep } from '../run.ts'
import { RoundFeed, type RoundFeedParts } from './round-feed.ts'

/** The machine of localization with its effects. */
export const localizationActor = (parts: RoundFeedParts) =>
  localizationMachine.provide({
    actions: { clearHistory: () => parts.runtime.clear() } satisfies Required<LocalizationActions>,
    actors: {
      solveRounds: fromScoped<never, void, LocalizationEvent>((_, talk) =>
        keep(
          () => new RoundFeed(parts, talk),
          (feed) => feed.stop(),
        ),
      ),
    } satisfies Required<LocalizationEffects>,
  })
