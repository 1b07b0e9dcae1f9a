// What a restart of this service would interrupt, be it ordered as such or for a new version.
/** When something that interrupts the service is done. idle: as soon as nothing is interrupted by it. */
export type WhenToInterrupt = 'now' | 'idle'

/** What would be interrupted now. */
export interface DeviceUse {
  /** By the robot's own word; false while there is none. */
  readonly robotEnabled: boolean
  /** What else is done, for people: `front is being recorded`. */
  readonly busyWith: readonly string[]
}

/** What has to be waited for, for people, each as a sentence without a full stop; empty: nothing. */
export const waitsFor = ({ robotEnabled, busyWith }: DeviceUse, when: WhenToInterrupt): readonly string[] => [
  ...(robotEnabled ? ['the robot is enabled'] : []),
  ...(when === 'idle' ? busyWith : []),
]
