// Boot firmware over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeBootloader } from '../../../native/bootloader/fake.ts'
import { BOOTLOADER } from '../../../native/bootloader/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { askerOf } from '../../support/api/ask.ts'

test('firmware that is staged says at which start it holds; what is refused says why', async (t) => {
  const port = new FakeBootloader()
  const { app } = await fakeApi(t, {}, { ports: [value(BOOTLOADER, port)] })
  const ask = askerOf({ app })
  assert.equal((await ask('GET', '/v1/device/bootloader')).body.state, 'available')

  const { status, body } = await ask('POST', '/v1/device/bootloader/update')
  assert.deepEqual([status, body.state, body.detail], [200, 'staged', 'The next start of the device puts it in.'])

  port.fault = { code: 'device.failed', detail: 'it must be root' }
  const refused = await ask('POST', '/v1/device/bootloader/update')
  assert.deepEqual([refused.status, refused.body.detail], [502, 'it must be root'])
})
