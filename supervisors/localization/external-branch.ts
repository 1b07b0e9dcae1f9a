// Sources of poses outside of the service.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { ExternalSamples } from '../../actors/localization/external-samples.ts'
import { SourceNews } from '../../actors/localization/source-news.ts'
import { EXTERNAL_SAMPLES, LOCALIZATION } from '../../actors/localization/tokens.ts'
import { NT4_LINK } from '../../actors/nt4/tokens.ts'
import { untilSettings } from '../../actors/settings/until-settings.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { localizationConfigIn } from '../../machines/localization/config-collection.ts'
import { externalOutputChanged } from '../../machines/localization/events.ts'
import { externalSourceCollection } from '../../machines/localization/external/source.ts'
import { FIELD_MAPS } from '../../machines/localization/field-map.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG } from '../composition/tokens.ts'

/** How late it may be told that samples come, or have stopped coming. Nothing is woken while nobody could send any. */
const LOOK_EVERY = '250 millis'

/** What other programs send, and who is told when they begin and stop. */
export const externalBranch = branch({
  collections: [externalSourceCollection],
  events: [externalOutputChanged],
  offers: [
    offer(
      EXTERNAL_SAMPLES,
      { directory: DIRECTORY, link: NT4_LINK, localization: LOCALIZATION, maps: FIELD_MAPS, onBug: ON_BUG },
      ({ directory: { settings, clock }, link, localization, maps, onBug }) => {
        const mapId = () => localization.map()?.id ?? localizationConfigIn(settings).value.map_id
        return new ExternalSamples({
          settings,
          link,
          monotonicUs: clock.monotonicUs,
          fieldSize: () => maps().get(mapId() ?? ''),
          onBug: onBug('external-samples'),
        })
      },
    ),
  ],
  needs: { directory: DIRECTORY, streams: STREAM_REGISTRY, external: EXTERNAL_SAMPLES },
  start: ({ directory: { events, clock, settings }, ...parts }) => {
    const news = new SourceNews({ ...parts, events, monotonicUs: clock.monotonicUs })
    const { streams, external } = parts
    const untilOneIsThere = untilSettings(settings, () => streams.all().length > 0 || external.all().length > 0)
    return Effect.asVoid(
      Effect.forkScoped(
        Effect.forever(
          untilOneIsThere.pipe(
            Effect.andThen(Effect.sleep(LOOK_EVERY)),
            Effect.andThen(Effect.sync(() => news.look())),
          ),
        ),
      ),
    )
  },
})
