// Operations that a robot can have done and that take a while: the same as in the API.
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { type DeviceNow, graphsIn, plansFor } from '../../machines/stream/known-graphs.ts'
import type { Directory } from '../directory.ts'
import type { TakeSnapshot } from '../media/take-snapshot.ts'
import { saveRewind } from '../recording/save-rewind.ts'
import { settingsWriter } from '../settings/write-settings.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'
import { hasSlot, switchSlot } from '../stream/switch-slot.ts'

/**
 * Of one stream. Each fails with the fault that a client of the API would have met. hasSlot: whether the slot is active
 * already.
 */
export interface RobotOperations {
  readonly hasSlot: (slot: number) => boolean
  readonly switchTo: (slot: number) => Effect.Effect<void, Fault>
  readonly takePicture: Effect.Effect<void, Fault>
  readonly saveRewind: Effect.Effect<void, Fault>
}

/** What they work with. */
export interface RobotOperationParts extends DeviceNow {
  readonly directory: Pick<Directory, 'actor' | 'settings'>
  readonly takeSnapshot: TakeSnapshot
}

export const makeRobotOperations = (
  stream: StreamRuntime,
  { directory, takeSnapshot, unavailable, models }: RobotOperationParts,
): RobotOperations => {
  const switching = {
    graphOf: graphsIn(directory.settings),
    write: settingsWriter(directory),
    planOf: plansFor({ unavailable, ...(models && { models }) }),
  }
  return {
    hasSlot: (slot) => hasSlot(stream, slot),
    switchTo: (slot) => switchSlot(stream, slot, switching),
    takePicture: Effect.flatMap(
      // a robot may ask for three a second, for ever
      Effect.promise(() => takeSnapshot(stream.id, { automatic: true })),
      (item) => (isFault(item) ? Effect.fail(item) : Effect.void),
    ),
    saveRewind: saveRewind(directory, stream),
  }
}
