// Tuning files on the trees of devices: found in libcamera's order, and copies written whole.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { fileInForce, flawOfCopying, isInForce } from '../../../machines/ipa/places.ts'
import { linuxIpa } from '../../../native/ipa/linux.ts'
import { linuxSystemFiles } from '../../../native/system-files/linux.ts'
import { plant, type TreeName, treeOf } from '../../support/device/plant.ts'
import { faultOf } from '../../support/processes/documents.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { fillDisk, smallDisk } from '../../support/processes/small-disk.ts'

const PACKAGE = '/usr/share/libcamera/ipa'
const OWN = '/etc/libcamera/ipa'

const device = (t: TestContext, name: TreeName, environment: Record<string, string> = {}) => {
  const root = plant(t, treeOf(name, 'ipa'))
  const dataDir = join(folderOf(t), 'data')
  const port = linuxIpa({ files: linuxSystemFiles(root), dataDir, environment, nowMs: () => 1_795_000_000_000 })
  return { root, dataDir, port, look: () => Effect.runPromise(port.look) }
}

const bytes = Buffer.from('{"a": "\xff"}\r\n', 'latin1')

test('files, sensors and modules of each device, without what is neither', async (t) => {
  const pi4 = await device(t, 'raspberry-pi-4').look()
  assert.deepEqual(pi4.sensors, ['imx708_wide', 'ov9281'])
  assert.deepEqual(pi4.modules, ['rpi/vc4', 'raspberrypi'])
  assert.deepEqual(
    pi4.files.filter(({ module }) => module === 'rpi/vc4').map(({ sensor }) => sensor),
    ['imx708', 'imx708_wide', 'ov9281', 'ov9281_mono'],
  )
  assert.equal(pi4.files.length, 5)

  const orange = await device(t, 'orange-pi-5').look()
  assert.deepEqual([orange.sensors, orange.modules[0]], [['ov13855'], 'rkisp1'])
  assert.deepEqual(
    orange.files.map(({ path, format }) => [path, format]),
    [
      [`${PACKAGE}/rkisp1/ov13855.yaml`, 'yaml'],
      [`${PACKAGE}/simple/uncalibrated.yaml`, 'yaml'],
    ],
  )
  const pc = await device(t, 'mini-pc').look()
  assert.deepEqual([pc.files, pc.sensors, pc.copies], [[], [], []])
})

test("what is in force follows libcamera's order: the environment, its folders, /etc, the package", async (t) => {
  const inForce = async (environment?: Record<string, string>) => {
    const { files } = await device(t, 'raspberry-pi-5', environment).look()
    const of = (sensor: string) => fileInForce(files, { module: 'rpi/pisp', sensor })?.path
    return [of('imx219'), of('imx477'), of('imx500')]
  }

  assert.deepEqual(await inForce(), [`${OWN}/rpi/pisp/imx219.json`, `${PACKAGE}/rpi/pisp/imx477.json`, undefined])
  const own = `${OWN}/rpi/pisp/imx219.json`
  assert.deepEqual(await inForce({ LIBCAMERA_RPI_TUNING_FILE: own }), [own, own, own])
  assert.deepEqual(await inForce({ LIBCAMERA_RPI_TUNING_FILE: '/nowhere.json' }), await inForce())
  const listed = await inForce({ LIBCAMERA_IPA_CONFIG_PATH: `relative:${PACKAGE}/` })
  assert.equal(listed[0], `${PACKAGE}/rpi/pisp/imx219.json`)
})

test('files that are not ours to change are named, with the way out', async (t) => {
  const flawOf = async (sensor: string, environment?: Record<string, string>, isOurs = false) => {
    const { files } = await device(t, 'raspberry-pi-5', environment).look()
    const file = files.find((each) => each.sensor === sensor)
    assert.ok(file)
    return flawOfCopying(files, file, isOurs)
  }

  assert.match((await flawOf('imx219')) ?? '', /was not written by this service/)
  assert.equal(await flawOf('imx219', {}, true), undefined)
  assert.equal(await flawOf('imx477'), undefined)
  assert.match((await flawOf('imx477', { LIBCAMERA_IPA_CONFIG_PATH: PACKAGE })) ?? '', /LIBCAMERA_IPA_CONFIG_PATH/)
  const named = { LIBCAMERA_RPI_TUNING_FILE: `${PACKAGE}/rpi/pisp/imx477.json` }
  assert.match((await flawOf('imx477', named)) ?? '', /named by the environment for all sensors/)
  const { files } = await device(t, 'raspberry-pi-5').look()
  const shadowed = files.find(({ path }) => path === `${PACKAGE}/rpi/pisp/imx219.json`)
  assert.ok(shadowed && !isInForce(files, shadowed))
  assert.match(flawOfCopying(files, shadowed, false) ?? '', /is not in force: libcamera reads \/etc/)
})

test('a copy has the very bytes, is readable by all, and is known as ours until somebody changes it', async (t) => {
  const { root, port, look, dataDir } = device(t, 'raspberry-pi-4')
  const path = `${OWN}/rpi/vc4/imx708.json`
  const mask = process.umask(0o077)
  t.after(() => process.umask(mask))

  await Effect.runPromise(port.put(path, bytes))

  assert.deepEqual(readFileSync(join(root, path)), bytes)
  assert.deepEqual(readdirSync(join(root, path, '..')), ['imx708.json'])
  assert.equal(statSync(join(root, path)).mode & 0o777, 0o644)
  for (const folder of ['/etc/libcamera', OWN, `${OWN}/rpi/vc4`])
    assert.equal(statSync(join(root, folder)).mode & 0o777, 0o755)
  assert.deepEqual((await look()).copies, [{ path, made_at_ms: 1_795_000_000_000 }])

  writeFileSync(join(root, path), 'by hand')
  assert.deepEqual((await look()).copies, [])
  await Effect.runPromise(port.put(path, bytes))
  assert.equal((await look()).copies.length, 1)
  writeFileSync(join(dataDir, 'tuning-files.json'), '[{"path": 7}, null')
  assert.deepEqual((await look()).copies, [])

  await Effect.runPromise(port.put(path, bytes))
  await Effect.runPromise(port.remove(path))
  assert.ok(!existsSync(join(root, path)))
  assert.deepEqual((await look()).copies, [])
  await Effect.runPromise(port.remove(path))
})

test('a file that is longer than any tuning file is not read', async (t) => {
  const { root, port } = device(t, 'raspberry-pi-4')
  writeFileSync(join(root, 'long'), Buffer.alloc(1_048_577))

  assert.equal(await Effect.runPromise(port.bytes('/long')), null)
  assert.equal(await Effect.runPromise(port.bytes('/nowhere')), null)
})

test('on a full disk the copy stays as it was, and stays ours', async (t) => {
  const root = smallDisk(t)
  if (!root) return t.skip('this process may not mount')
  const dataDir = folderOf(t)
  const port = linuxIpa({ files: linuxSystemFiles(root), dataDir, environment: {}, nowMs: () => 1 })
  const path = `${OWN}/rpi/vc4/imx708.json`
  await Effect.runPromise(port.put(path, bytes))
  fillDisk(join(root, 'filling'))

  const fault = await Effect.runPromise(faultOf(port.put(path, Buffer.alloc(100_000, 32))))

  assert.equal(fault.code, 'storage.full')
  assert.deepEqual(readFileSync(join(root, path)), bytes)
  assert.deepEqual(readdirSync(join(root, path, '..')), ['imx708.json'])
  assert.equal((await Effect.runPromise(port.look)).copies.length, 1)
  rmSync(join(root, 'filling'))
})

test('where it may not write it says so, with what would help', {
  skip: process.getuid?.() !== 0 && 'not root',
}, async (t) => {
  const root = smallDisk(t, 'ro')
  if (!root) return t.skip('this process may not mount')
  const port = linuxIpa({ files: linuxSystemFiles(root), dataDir: folderOf(t), environment: {}, nowMs: () => 1 })

  const fault = await Effect.runPromise(faultOf(port.put(`${OWN}/rpi/vc4/imx708.json`, bytes)))

  assert.equal(fault.code, 'storage.failed')
  assert.match(fault.detail, /EROFS.*The package of this service gives it the right/)
})
