// What a restart would interrupt: a robot that is enabled, a recording, orders of other devices.
import type { Latest } from '../../machines/latest.ts'
import type { DeviceUse } from '../../machines/restart/device-use.ts'
import { recordingChanged } from '../../machines/stream/events.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'

/** Where that is seen. */
export interface DeviceUseParts {
  readonly streams: Pick<StreamRegistry, 'all'>
  readonly events: Pick<EventBus, 'subscribe'>
  /** By the robot's own word. */
  readonly robotEnabled: Latest<boolean>
  /** How many orders of other devices are carried out now. */
  readonly peerOrders: Latest<number>
}

/** Tells what a restart would interrupt, at once and when that changes; returns the way to stop. */
export type WatchDeviceUse = (tell: (use: DeviceUse) => void) => () => void

/** Makes it. */
export const watchDeviceUse =
  ({ streams, events, robotEnabled, peerOrders }: DeviceUseParts): WatchDeviceUse =>
  (tell) => {
    const look = () =>
      tell({
        robotEnabled: robotEnabled.value ?? false,
        busyWith: [
          ...streams
            .all()
            .filter(({ recording }) => recording.isRunning)
            .map(({ id }) => `${id} is being recorded`),
          ...((peerOrders.value ?? 0) > 0 ? ['another device is having something done'] : []),
        ],
      })
    const stops = [
      robotEnabled.subscribe(look),
      peerOrders.subscribe(look),
      events.subscribe(({ kind }) => {
        if (kind === recordingChanged.kind) look()
      }),
    ]
    look()
    return () => {
      for (const stop of stops) stop()
    }
  }
