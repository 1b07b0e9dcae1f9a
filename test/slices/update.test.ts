// The real service is updated from one version to another, and back: two releases of this checkout, over real sockets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addStream, bundleOf, reaches, streamsAt, updatableDevice, update } from '../support/update/updated-device.ts'

test('a service is updated to another version and back, and keeps its settings', async (t) => {
  const [newer, older] = [await bundleOf(t, '1.1.0'), await bundleOf(t, '1.0.1')]
  const { device, url: first } = await updatableDevice(t)
  await addStream(first, 'front')

  const second = await update(device, first, newer)
  const trial = await reaches(second, 'trial')
  const kept = await reaches(second, 'committed')
  await addStream(second, 'rear')

  assert.deepEqual([trial.state, kept.running.version, kept.other?.name], ['trial', '1.1.0', 'packaged'])
  const third = await update(device, second, older)
  const back = await reaches(third, 'committed')

  assert.equal(back.running.version, '1.0.1')
  assert.deepEqual((await streamsAt(third)).toSorted(), ['front', 'rear'])
})
