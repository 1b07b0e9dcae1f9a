// The commands of the page about editing pipelines, as a reader would run them one after the other, on the real
// service.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandsOf, howTo, noPrograms, runCommands } from '../support/api/page-commands.ts'
import { site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'

test('the commands about editing a pipeline lead from a template to a running stream', {
  skip: noPrograms,
}, async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 200, fps: 30 } })
  const cwd = folderOf(t)

  const stdout = await runCommands(commandsOf(howTo('edit-a-pipeline')), daemon.url, cwd)

  assert.match(stdout, /^apriltag-2d: Finds AprilTags/m)
  assert.match(stdout, /^error input\.open: the node tags has an input image that is not connected/m)
  assert.match(stdout, /^ {2}"runnable": true,$/m)
  assert.match(stdout, /"kind":"image","from":"overlay\.image"/)
  assert.deepEqual([...readFileSync(join(cwd, 'overlay.jpg')).subarray(0, 2)], [0xff, 0xd8])
  const { spec } = await daemon.get<{ spec: { active_slot: number } }>('/v1/streams/front')
  const { revision, status } = await daemon.get<{ revision: number; status: object }>('/v1/pipelines/graphs/near')
  assert.deepEqual([spec.active_slot, revision], [1, 2])
  assert.deepEqual(status, {
    runnable: true,
    diagnostics: [],
    diagnostics_left_out: 0,
    used_by: [{ stream_id: 'front', slot: 1, active: true }],
  })
  assert.match(stdout, /^"near-2"$/m)
})
