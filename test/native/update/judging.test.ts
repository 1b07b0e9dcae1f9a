// By what a device judges bundles.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { updateKeyOf } from '../../../native/update/bundle/sign.ts'
import { deviceJudging } from '../../../native/update/judging.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { signingKey } from '../../support/update/releases.ts'

test('a device trusts the keys of its team and of its release, and knows what it is', async (t) => {
  const folder = folderOf(t)
  const [own, released] = [updateKeyOf(signingKey(), null), updateKeyOf(signingKey(), 5)]
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: [own] }))
  writeFileSync(join(folder, 'update-keys.json'), JSON.stringify({ keys: [released] }))
  writeFileSync(join(folder, 'release.json'), JSON.stringify({ built_at_ms: 1_000 }))
  writeFileSync(join(folder, 'os-release'), 'NAME="Debian"\nID=debian\nVERSION_ID="12"\n')
  const parts = { keyFiles: [join(folder, 'keys.json')], osRelease: join(folder, 'os-release'), release: folder }

  const { keys, timeMs, device } = await deviceJudging({ ...parts, nowMs: () => 7 })
  const bare = await deviceJudging({
    keyFiles: ['/nowhere'],
    osRelease: '/nowhere',
    release: '/nowhere',
    nowMs: () => 7,
  })

  assert.deepEqual(keys.map(({ id }) => id).toSorted(), [own.id, released.id].toSorted())
  assert.deepEqual([timeMs, device.base, device.hardware], [1_000, 'debian-12', `linux-${process.arch}`])
  assert.deepEqual([bare.keys, bare.timeMs, bare.device.base], [[], 7, null])
})
