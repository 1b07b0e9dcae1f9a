// The cameras that are plugged in. Started before the streams, which open them.
import * as Effect from 'effect/Effect'
import { Cameras } from '../../actors/cameras/cameras.ts'
import { camerasActor } from '../../actors/cameras/cameras-actor.ts'
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { DIRECTORY, type Directory } from '../../actors/directory.ts'
import { settingsWriter } from '../../actors/settings/write-settings.ts'
import { cameraPresence } from '../../machines/cameras/events.ts'
import { cameraCollection } from '../../machines/cameras/unit.ts'
import { documentsOf } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { ownCameraOf } from '../../machines/stream/sources/traits.ts'
import { CAMERAS_PORT } from '../../native/cameras/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, SUPERVISOR } from '../composition/tokens.ts'
import { cameraPorts } from './ports.ts'

export const cameraBranch = branch({
  collections: [cameraCollection],
  events: [cameraPresence],
  ports: cameraPorts,
  offers: [
    offer(
      CAMERAS,
      { directory: DIRECTORY, port: CAMERAS_PORT, onBug: ON_BUG },
      ({ directory, port, onBug }) => new Cameras(directory.settings, port.cores, onBug('cameras')),
    ),
  ],
  needs: { supervisor: SUPERVISOR, directory: DIRECTORY, port: CAMERAS_PORT, cameras: CAMERAS },
  start: ({ supervisor, directory, port, cameras }) => {
    const used = () => usedUnits(directory)
    const write = settingsWriter(directory)
    const parts = { port, cameras, events: directory.events, used, write }
    return supervisor.start({ id: 'cameras', incarnate: Effect.sync(() => ({ logic: camerasActor(parts) })) })
  },
})

const usedUnits = ({ settings }: Directory): ReadonlySet<string> =>
  new Set(
    Object.values(documentsOf(settings, streamCollection)).flatMap(
      ({ value }) => ownCameraOf(value.source)?.camera_uid ?? [],
    ),
  )
