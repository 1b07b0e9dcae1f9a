// The media item that the references show, in a service on fake ports.
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { imuExample, labelExample } from '../../../api/media/wire.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import { mediaExample } from '../../../machines/media/item.ts'
import { MEDIA_STORE } from '../../../native/media/port.ts'
import type { FakeService } from '../service.ts'
import { until } from '../until.ts'
import { jpegFile } from './media-files.ts'
import { good } from './media-store.ts'

/** Has that item, with all that can lie beside one. */
export const addMedia = async ({ resolve, directory }: FakeService): Promise<void> => {
  const store = resolve(MEDIA_STORE)
  await until('the media', () => directory.actor('media')?.getSnapshot().matches('ready'))
  const { name } = mediaExample
  if (isFault(await store.get(name))) {
    const draft = good(await store.begin({ kind: 'picture', origin: 'snapshot', media_type: 'image/jpeg', name }))
    await writeFile(draft.path, jpegFile(64, 48))
    await writeFile(draft.sidecarPath, '{"seq":1}\n')
    good(await draft.complete({ width_px: 64, height_px: 48 }))
  }
  good(await store.attach(name, 'label', { body: Readable.from([labelExample]) }))
  good(await store.attach(name, 'imu', { body: Readable.from([imuExample]) }))
}
