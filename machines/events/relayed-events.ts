// Which events devices tell one another. They are told again to those who listen here, with the id that the other device has here.

/** By name. What devices tell of their own peers is not told again, so that nothing goes in circles. */
export const RELAYED_EVENTS: ReadonlySet<string> = new Set([
  'stream_changed',
  'stream_state',
  'pipeline_changed',
  'pose_changed',
  'localization_source_changed',
  'control_changed',
  'camera_presence',
])

/** What a device tells others of itself: that, and how its own links are, which those who hear it keep to themselves. */
export const EVENTS_FOR_DEVICES: ReadonlySet<string> = new Set([...RELAYED_EVENTS, 'peer_health'])
