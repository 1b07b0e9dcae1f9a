// The desks of all streams.
import type { OnBug } from '../../machines/listeners.ts'
import { documentsOf } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { Directory } from '../directory.ts'
import { StreamDesk } from './stream-desk.ts'

/**
 * Keeps a desk for each stored stream, from the moment it is stored: whoever else hears of a change of the settings finds it.
 *
 * onBug: told of what a listener of a desk threw.
 */
export const keepDesks = (
  { settings, clock }: Pick<Directory, 'settings' | 'clock'>,
  onBug: (resource: string) => OnBug,
): ReadonlyMap<string, StreamDesk> => {
  const desks = new Map<string, StreamDesk>()
  const keep = () => {
    const stored = documentsOf(settings, streamCollection)
    for (const id of desks.keys()) if (!Object.hasOwn(stored, id)) desks.delete(id)
    for (const id of Object.keys(stored))
      if (!desks.has(id)) desks.set(id, new StreamDesk(id, clock.nowMs(), onBug(`streams/${id}`)))
  }
  keep()
  settings.subscribe(keep)
  return desks
}
