// A service with a stream `front`, whose camera takes one picture with tags in it over and over, 30 times a second.

import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { tagsFile } from '../engine/engine-task.ts'
import type { Lifetime } from '../lifetime.ts'
import { site } from './daemon.ts'

interface Wanted {
  /** Of the start. */
  readonly flags?: Parameters<ReturnType<typeof site>['start']>[0]
  /** What else there is to say of the stream. */
  readonly manifest?: Omit<StreamManifest, 'source'>
}

/** The stream is live. jpeg: its picture, which lies at path. */
export const tagsDaemon = async (t: Lifetime, { flags = {}, manifest = {} }: Wanted = {}) => {
  const place = site(t)
  const { path, jpeg } = await tagsFile(t, place.dataDir)
  const daemon = await place.start(flags)
  await daemon.addStream({ id: 'front', source: { backend: 'images', path, fps: 30 }, ...manifest })
  return { place, daemon, jpeg }
}
