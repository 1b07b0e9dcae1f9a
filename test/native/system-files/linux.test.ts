// The files of a system, below a folder that stands for it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { linuxSystemFiles } from '../../../native/system-files/linux.ts'
import { numberIn } from '../../../native/system-files/port.ts'
import { plant, readTree } from '../../support/device/plant.ts'
import { faultOf } from '../../support/processes/documents.ts'

const TREE = `
# a made-up one
/sys/class/thermal/thermal_zone0 -> ../../devices/virtual/thermal/thermal_zone0
/sys/devices/virtual/thermal/thermal_zone0/temp: 48312
/sys/bus/usb/devices/1-1:1.0/name: Camera
/etc/os-release:
  ID=debian
  NAME="Debian"
`

test('texts, names and places; what is not there is null or empty', async (t) => {
  const root = plant(t, readTree(TREE))
  const files = linuxSystemFiles(root)

  assert.equal(await files.text('/sys/class/thermal/thermal_zone0/temp'), '48312')
  assert.equal(await files.text('/sys/bus/usb/devices/1-1:1.0/name'), 'Camera')
  assert.equal(await files.text('/etc/os-release'), 'ID=debian\nNAME="Debian"')
  assert.deepEqual(await files.names('/sys/class/thermal'), ['thermal_zone0'])
  assert.equal(await files.place('/sys/class/thermal/thermal_zone0'), '/sys/devices/virtual/thermal/thermal_zone0')

  assert.equal(await files.text('/sys/none'), null)
  assert.equal(await files.text('/sys'), null)
  assert.deepEqual(await files.names('/sys/none'), [])
  assert.equal(await files.place('/sys/none'), null)
})

test('a file takes a text, and one that does not exist is not made', async (t) => {
  const root = plant(t, readTree(TREE))
  const { write } = linuxSystemFiles(root)

  await Effect.runPromise(write('/sys/devices/virtual/thermal/thermal_zone0/temp', '5\n'))
  assert.match(readFileSync(join(root, 'sys/devices/virtual/thermal/thermal_zone0/temp'), 'utf8'), /^5\n/)

  const { code, detail } = await Effect.runPromise(faultOf(write('/sys/none', '1\n')))
  assert.equal(code, 'device.failed')
  assert.match(detail, /^\/sys\/none did not take "1": ENOENT/)
})

test('a number is finite or none', () => {
  assert.deepEqual(['12', '-3.5', '', 'rubbish', 'Infinity', null].map(numberIn), [12, -3.5, null, null, null, null])
})
