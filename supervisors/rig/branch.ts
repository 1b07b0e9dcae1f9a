// The rig: its documents are stored, and poses that wait for a camera are given to the stream that gets it.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { untilSettings } from '../../actors/settings/until-settings.ts'
import { settingsWriter } from '../../actors/settings/write-settings.ts'
import { pendingPoseCollection, placements } from '../../machines/rig/pending-pose.ts'
import { rigCollection } from '../../machines/rig/robot.ts'
import { severalOrder } from '../../machines/settings/commit.ts'
import { documentsOf } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { branch } from '../composition/branch.ts'

/** How late a stream gets the pose that waits for its camera. Nothing is woken while none waits. */
const LOOK_EVERY = '500 millis'

export const rigBranch = branch({
  collections: [rigCollection, pendingPoseCollection],
  needs: { directory: DIRECTORY },
  start: ({ directory }) => {
    const { settings } = directory
    const write = settingsWriter(directory)
    const waiting = () => documentsOf(settings, pendingPoseCollection)
    const untilOneWaits = untilSettings(settings, () => Object.keys(waiting()).length > 0)
    const place = Effect.suspend(() => {
      const pending = waiting()
      const streams = Object.values(documentsOf(settings, streamCollection)).map(({ value }) => value)
      // one that cannot be stored now is tried again
      return Effect.forEach(placements(pending, streams), (orders) => Effect.ignore(write(severalOrder(orders))), {
        discard: true,
      })
    })
    return Effect.asVoid(
      Effect.forkScoped(
        Effect.forever(untilOneWaits.pipe(Effect.andThen(Effect.sleep(LOOK_EVERY)), Effect.andThen(place))),
      ),
    )
  },
})
