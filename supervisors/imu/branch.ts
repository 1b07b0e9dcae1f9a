// The IMU: read for as long as it is wanted.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { imuActor } from '../../actors/imu/imu-actor.ts'
import { ImuView } from '../../actors/imu/imu-view.ts'
import { biasWork } from '../../actors/imu/measure-bias.ts'
import { BIAS_WORK, IMU, IMU_VIEW } from '../../actors/imu/tokens.ts'
import { imuChanged } from '../../machines/imu/events.ts'
import { imuCollection } from '../../machines/imu/settings-collection.ts'
import { imuStateOf, toldImuState } from '../../machines/imu/state.ts'
import { IMU_DEVICES } from '../../native/imu/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, RECORD, supervision } from '../composition/tokens.ts'
import { imuPorts } from './ports.ts'

const CHILD = 'imu'

export const imuBranch = branch({
  collections: [imuCollection],
  events: [imuChanged],
  ports: imuPorts,
  offers: [
    offer(IMU_VIEW, { onBug: ON_BUG }, ({ onBug }) => new ImuView(onBug(CHILD))),
    offer(IMU, { view: IMU_VIEW }, ({ view }) => view),
    offer(BIAS_WORK, { view: IMU_VIEW, directory: DIRECTORY }, (parts) => (durationS) => biasWork(parts, durationS)),
  ],
  needs: { ...supervision, directory: DIRECTORY, devices: IMU_DEVICES, view: IMU_VIEW, record: RECORD },
  start: ({ supervisor, lifecycle, directory: { events, settings }, devices, view, record }) =>
    Effect.suspend(() => {
      const observe = () => {
        const isRunning = supervisor.status(CHILD)?.state === 'running'
        const state = toldImuState(view.state, imuStateOf(isRunning ? supervisor.snapshot(CHILD)?.value : undefined))
        if (state === view.state) return
        view.state = state
        events.publish(imuChanged, { resource_ref: {}, data: { state } })
      }
      lifecycle.add(({ id, type }) => {
        if (id !== CHILD || type === 'stopped') return
        if (type === 'started') supervisor.actor(CHILD)?.subscribe({ next: observe, complete: observe, error: observe })
        observe()
      })
      return supervisor.start({
        id: CHILD,
        incarnate: Effect.sync(() => ({ logic: imuActor({ devices, settings, view, record }) })),
      })
    }),
})
