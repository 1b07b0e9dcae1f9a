// A device whose systems RAUC installs: the service starts in a new one, which is on trial, finds it well, and RAUC
// hears so; after the next start all is as it was.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { EMPTY_RECORD } from '../../machines/update/rauc-slots.ts'
import type { UpdateState } from '../../machines/update/update-state.ts'
import { noBus, startBus } from '../support/dbus/bus.ts'
import { FakeService } from '../support/dbus/fake-service.ts'
import { type Daemon, QUICK, site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'
import { until } from '../support/until.ts'
import { RaucModel, raucMethods } from '../support/update/fake-rauc.ts'

const stateOf = async (daemon: Daemon): Promise<UpdateState | null> => {
  const { status, body } = await daemon.send<UpdateState>('GET', '/v1/ota/state')
  return status === 200 ? body : null // the updater asks the bus again
}

test('a new system is on trial, is kept when the service is well in it, and RAUC is told', {
  skip: noBus,
}, async (t) => {
  const bus = await startBus(t)
  const model = new RaucModel()
  for (const _ of model.install());
  model.boot()
  await FakeService.start(
    t,
    bus.address,
    'de.pengutronix.rauc',
    raucMethods(model, () => assert.fail('nothing is installed')),
  )
  const system = folderOf(t)
  writeFileSync(join(system, 'rauc.json'), JSON.stringify({ ...EMPTY_RECORD, committed: 'rootfs.0' }))
  const packaged = join(system, 'none')
  mkdirSync(packaged)
  const { start } = site(t, QUICK, {
    DBUS_SYSTEM_BUS_ADDRESS: bus.address,
    VEDETTE_SYSTEM: system,
    VEDETTE_RUNNING: 'packaged',
    VEDETTE_PACKAGED: packaged,
    VEDETTE_ENGINE: 'fake',
  })

  const daemon = await start()
  const trial = await until(
    'the trial',
    () => stateOf(daemon),
    (shown) => shown?.state === 'trial',
  )
  const triesBefore = model.slot('rootfs.1').tries
  const kept = await until(
    'that it is kept',
    () => stateOf(daemon),
    (shown) => shown?.state === 'committed',
  )

  assert.deepEqual([trial?.backend, trial?.can_update], ['rauc', true])
  assert.deepEqual(trial?.running, { name: 'rootfs.1', version: '2.0.0', built_at_ms: null })
  assert.deepEqual(trial?.other, { name: 'rootfs.0', version: '1.0.0', built_at_ms: null })
  assert.equal(triesBefore, 1)
  assert.equal(kept?.failed_version, null)
  assert.equal(model.slot('rootfs.1').tries, 99)
  assert.equal(model.primary, 'rootfs.1')
})
