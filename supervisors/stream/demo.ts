// The stream of the demo: a robot that drives around the demo field with one camera on it.
import * as Effect from 'effect/Effect'
import { ask } from '../../actors/ask.ts'
import type { Directory } from '../../actors/directory.ts'
import { putOrder } from '../../machines/settings/commit.ts'
import { documentsOf } from '../../machines/settings/store.ts'
import { canonicalManifest } from '../../machines/stream/canonical-manifest.ts'
import { streamCollection } from '../../machines/stream/collection.ts'

/** Creates it where no stream is stored. */
export const createDemoStream = (directory: Directory): Effect.Effect<void> => {
  const stored = documentsOf(directory.settings, streamCollection)
  const settings = directory.actor('settings')
  const demo = canonicalManifest({
    id: 'demo',
    alias: 'Demo camera',
    source: { backend: 'synthetic' },
    pose: { x_m: 0.25, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 },
  })
  if (!settings || !demo.ok || Object.keys(stored).length > 0) return Effect.void
  return Effect.asVoid(ask(settings, putOrder(streamCollection, demo.manifest.id, demo.manifest)))
}
