// The commands of the pages about lamps and the IMU, as a reader would run them one after the other, on a device that
// is made up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandsOf, howTo, noPrograms, runCommands } from '../support/api/page-commands.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'
import { until } from '../support/until.ts'

const shared = site(fileLifetime(), undefined, { VEDETTE_ENGINE: 'fake' }).start({ device: 'fake' })

interface LightingState {
  readonly groups: readonly { readonly holder: unknown }[]
}

test('the commands about lamps tell what there is, light it, and give it back', { skip: noPrograms }, async (t) => {
  const daemon = await shared

  const stdout = await runCommands(commandsOf(howTo('use-lamps')), daemon.url, folderOf(t))

  t.diagnostic(stdout)
  assert.match(stdout, /^fake:ring: strip, free$/m)
  assert.match(stdout, /^ring: animation, .*\.$/m)
  assert.match(stdout, /"title": "Breathe"/)
  assert.match(stdout, /^scored$/m)
  const { groups } = await daemon.get<LightingState>('/v1/device/lighting/state')
  assert.deepEqual(
    groups.map(({ holder }) => holder),
    [null, null, null, null],
  )
})

test('the commands about the IMU mount it, measure its bias, and read it', { skip: noPrograms }, async (t) => {
  const daemon = await shared
  await until('readings', async () => (await daemon.get<{ state: string }>('/v1/device/imu')).state === 'running')

  const stdout = await runCommands(commandsOf(howTo('use-an-imu')), daemon.url, folderOf(t))

  t.diagnostic(stdout)
  assert.match(stdout, /^\["x_left_z_up",1\]\n\["x_forward_z_up",2\]\nimu_bias$/m)
  assert.match(stdout, /^\["(settling|running)",/m)
})
