// A machine that others keep busy: streams become slow, and none is lost.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { replaceDetector, WIDTHS } from '../support/engine/detector.ts'
import { graphWithTags } from '../support/engine/engine-task.ts'
import { grayPng } from '../support/media/png.ts'
import { keepCoreBusy } from '../support/processes/busy.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

// for two pictures of 1.5 s of computing each, on a machine that gives a twentieth of a processor
const MAX_MS = 300_000

test('the service and its engines come before other programs, where it may', async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({ id: 'one', source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } })
  const { engine_pid } = await daemon.metrics('one')

  const own = getPriority()
  const expected = process.getuid?.() === 0 ? Math.min(own, -5) : own
  assert.deepEqual([daemon.pid, engine_pid as number].map(getPriority), [expected, expected])
  // a session that was there before the first `setsid` is in no group, and the kernel says nothing of it
  const isGrouped = existsSync('/proc/self/autogroup') && readFileSync('/proc/self/autogroup', 'utf8') !== ''
  if (expected < own && isGrouped)
    assert.match(readFileSync(`/proc/${engine_pid}/autogroup`, 'utf8'), new RegExp(` nice ${expected}$`, 'm'))
})

test('no engine is replaced because the machine is busy', async (t) => {
  replaceDetector(t)
  const { dataDir, start } = site(t)
  const daemon = await start()
  const folder = join(dataDir, 'pictures')
  mkdirSync(folder)
  writeFileSync(join(folder, 'slow.png'), grayPng(WIDTHS.computesFor1500ms, 64))
  await daemon.send('POST', '/v1/streams', {
    id: 'slow',
    source: { backend: 'images', path: folder, fps: 30 },
    pipeline: graphWithTags({ engine: 'reference' }),
  })
  await daemon.addStream({ id: 'quick', source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } })
  const before = [await daemon.metrics('slow'), await daemon.metrics('quick')]

  keepCoreBusy(t, [daemon.pid, ...before.map(({ engine_pid }) => engine_pid as number)])
  const read = async () => [await daemon.metrics('slow'), await daemon.metrics('quick')]
  const after = await until(
    'two more pictures of each',
    read,
    (now) => now.every(({ frames, restarts }, n) => restarts > 0 || frames >= (before[n]?.frames ?? 0) + 2),
    MAX_MS,
  )

  assert.deepEqual(
    after.map(({ restarts, engine_pid }) => ({ restarts, engine_pid })),
    before.map(({ engine_pid }) => ({ restarts: 0, engine_pid })),
  )
})
