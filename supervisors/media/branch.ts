// The media: their keeper, and their events.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { mediaActor } from '../../actors/media/media-actor.ts'
import { takeSnapshot } from '../../actors/media/take-snapshot.ts'
import { TAKE_SNAPSHOT } from '../../actors/media/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { mediaChanged } from '../../machines/media/events.ts'
import { STORED_MODELS } from '../../machines/models/stored-models.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { RECORD, SUPERVISOR } from '../composition/tokens.ts'
import { whenClockIsSet } from '../composition/when-clock-is-set.ts'
import { MODEL_LIST, modelsIn } from './models.ts'
import { mediaPorts } from './ports.ts'

/** Nothing waits for it: who stores something before the media are in order is told to try again. */
export const mediaBranch = branch({
  events: [mediaChanged],
  ports: mediaPorts,
  offers: [
    offer(MODEL_LIST, { store: MEDIA_STORE }, ({ store }) => modelsIn(store)),
    offer(STORED_MODELS, { models: MODEL_LIST }, ({ models }) => models),
    offer(TAKE_SNAPSHOT, { clock: CLOCK, streams: STREAM_REGISTRY, store: MEDIA_STORE }, takeSnapshot),
  ],
  needs: { supervisor: SUPERVISOR, directory: DIRECTORY, record: RECORD, store: MEDIA_STORE, models: MODEL_LIST },
  start: ({ supervisor, directory: { clock, events }, record, store, models }) =>
    Effect.gen(function* () {
      yield* whenClockIsSet(clock, (byMs) => {
        void store.clockSet(byMs).then((faults) => {
          for (const fault of faults) record(fault)
        })
      })
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          store.news.add(({ name, item }) => {
            const { kind = null, state = null, stream_id = null, size_bytes = null } = item ?? {}
            const data = { kind, state, stream_id, size_bytes, deleted: item === null }
            events.publish(mediaChanged, { resource_ref: { media_name: name }, data })
          }),
        ),
        (stop) => Effect.sync(stop),
      )
      const unread = yield* Effect.promise(models.read) // before there are streams, whose plans name them
      if (unread) record(unread)
      const incarnate = Effect.sync(() => ({ logic: mediaActor({ store, record }) }))
      yield* supervisor.start({ id: 'media', incarnate })
    }),
})
