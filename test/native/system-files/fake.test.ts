import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { FakeSystemFiles } from '../../../native/system-files/fake.ts'

test('the fake has the files that it was given, their folders and links, and takes a text for one', async () => {
  const files = new FakeSystemFiles()
  files.files.set('/sys/class/net/eth0/carrier', '1\n')
  files.links.set('/sys/class/net/eth0/device', '/sys/devices/platform/eth')

  assert.equal(await files.text('/sys/class/net/eth0/carrier'), '1')
  assert.equal(await files.text('/sys/class/net/eth0/speed'), null)
  assert.deepEqual(await files.names('/sys/class/net/eth0'), ['carrier', 'device'])
  assert.equal(await files.place('/sys/class/net/eth0'), '/sys/class/net/eth0')
  assert.equal(await files.place('/sys/class/net/eth0/device'), '/sys/devices/platform/eth')
  assert.equal(await files.place('/sys/class/net/eth1'), null)
  await Effect.runPromise(files.write('/sys/class/net/eth0/carrier', '0'))
  assert.equal(await files.text('/sys/class/net/eth0/carrier'), '0')
  const fault = await Effect.runPromise(Effect.flip(files.write('/sys/class/net/eth0/speed', '1')))
  assert.match(fault.detail, /speed/)
})
