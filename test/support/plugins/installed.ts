// Services that have plugins.
import assert from 'node:assert/strict'
import { askNow, DISK_LIMIT } from '../../../actors/ask.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import { PLUGIN_PACKAGES } from '../../../native/plugins/packages/port.ts'
import type { FakeService } from '../service.ts'
import { until } from '../until.ts'
import { arriving } from './packages.ts'

/** Uploads a package and installs it; its name. */
export const addPlugin = async (
  { resolve, directory: { actor } }: Pick<FakeService, 'resolve' | 'directory'>,
  bytes: Buffer,
  enable = true,
): Promise<string> => {
  const keeper = actor('plugin-keeper')
  assert.ok(keeper)
  await until('the plugins', () => keeper.getSnapshot().matches('ready'))
  const upload = await resolve(PLUGIN_PACKAGES).receive(arriving(bytes))
  assert.ok(!isFault(upload), JSON.stringify(upload))
  const done = await askNow(keeper, { type: 'plugin.install', upload: upload.upload, enable }, DISK_LIMIT)
  assert.ok(done.outcome === 'done', JSON.stringify(done))
  return upload.manifest.name
}
