// The events that devices tell one another. They are relayed to listeners here, with the id that the other device has
// here.

/** By name. Events about the peers of a peer are not relayed, so that nothing goes in circles. */
export const RELAYED_EVENTS: ReadonlySet<string> = new Set([
  'stream_changed',
  'stream_state',
  'pipeline_changed',
  'pose_changed',
  'localization_source_changed',
  'control_changed',
  'camera_presence',
])

/** What a device tells others of itself: the same, and the health of its own links, which is not relayed. */
export const EVENTS_FOR_DEVICES: ReadonlySet<string> = new Set([...RELAYED_EVENTS, 'peer_health'])
