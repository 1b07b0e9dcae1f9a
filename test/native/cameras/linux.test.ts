// The cameras of a device whose system is a folder.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import * as Scope from 'effect/Scope'
import { keysOf } from '../../../machines/cameras/keys.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { readAnswers } from '../../../native/cameras/answers.ts'
import { type LinuxCamerasParts, linuxCameras } from '../../../native/cameras/linux.ts'
import { CameraTree } from '../../support/cameras/camera-tree.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { arrival, until } from '../../support/until.ts'

const treeOf = (t: TestContext, parts: Partial<LinuxCamerasParts> = {}) => {
  const folder = folderOf(t)
  const tree = new CameraTree(folder)
  const program = join(folder, 'cameras')
  const cameras = linuxCameras({
    notes: join(folder, 'notes'),
    sysfs: tree.sysfs,
    dev: tree.dev,
    program,
    cores: 4,
    ...parts,
  })
  const says = (script: string) => {
    writeFileSync(program, `#!/bin/sh\n${script}\n`)
    chmodSync(program, 0o755)
  }
  return { folder, tree, cameras, says }
}

test('a USB camera is described by its port, never by the number of its device file or bus', async (t) => {
  const { tree, cameras } = treeOf(t)
  const device = tree.plug({ number: 2 })

  const [node] = await Effect.runPromise(cameras.nodes)

  assert.ok(node?.usb)
  assert.deepEqual([node.device, node.name, node.index], [device, 'HD Cam: HD Cam', 0])
  assert.deepEqual(
    [node.controller, node.usb.port, node.usb.interface, node.usb.bus, node.usb.speed_mbit_s],
    ['platform/scb/fd500000.pcie', '1.3', '1.0', 1, 480],
  )
  tree.unplug(2)
  tree.plug({ number: 7, bus: 3 })
  const [later] = await Effect.runPromise(cameras.nodes)
  assert.deepEqual(later && keysOf(later), keysOf(node))
  assert.notEqual(later?.plugged, node.plugged)
})

test('what cannot be read is left out, and what is no USB device is described too', async (t) => {
  const { tree, cameras } = treeOf(t)
  tree.plug({ number: 0, files: { serial: null, speed: null, product: null } })
  mkdirSync(join(tree.usbFolder(), 'idVendor-broken'))
  const csi = join(tree.sysfs, 'devices/platform/soc/fe801000.csi/video4linux/video4')
  mkdirSync(csi, { recursive: true })
  symlinkSync(join(tree.sysfs, 'devices/platform/soc/fe801000.csi'), join(csi, 'device'))
  symlinkSync(csi, join(tree.sysfs, 'class/video4linux/video4'))
  writeFileSync(join(tree.dev, 'video4'), '')
  symlinkSync('/nowhere', join(tree.sysfs, 'class/video4linux/video9'))

  const [usb, other, ...more] = await Effect.runPromise(cameras.nodes)

  assert.deepEqual([usb?.usb?.serial, usb?.usb?.speed_mbit_s, usb?.usb?.product], [null, null, null])
  assert.deepEqual([other?.name, other?.controller, other?.usb], ['video4', 'platform/soc/fe801000.csi', null])
  assert.deepEqual(more, [], 'a device without a file is not there')
})

test('a device that never had a camera has none, and that is no fault', async (t) => {
  const folder = folderOf(t)

  assert.deepEqual(await Effect.runPromise(linuxCameras({ notes: folder, sysfs: folder, dev: folder }).nodes), [])
})

test('each driver is asked, and one that gives no answer is said to have given none', async (t) => {
  const { cameras, says } = treeOf(t)
  const answer = { ok: true, driver: 'uvcvideo', card: 'HD Cam', is_capture: true, modes: [] }
  says(
    oneLine`
      echo '${JSON.stringify({ device: '/dev/video0', ...answer })}'; echo 'no JSON'; echo
      '{"device":"/dev/video2","ok":1}'
    `,
  )

  const answers = await Effect.runPromise(cameras.ask(['/dev/video2', '/dev/video0', '/dev/video4']))

  assert.deepEqual(
    answers.map(({ device, ok }) => [device, ok]),
    [
      ['/dev/video2', false],
      ['/dev/video0', true],
      ['/dev/video4', false],
    ],
  )
  says('echo broken >&2; exit 3')
  const [failed] = await Effect.runPromise(cameras.ask(['/dev/video0']))
  assert.match(failed && !failed.ok ? failed.detail : '', /it could not be asked: .*failed with 3: broken/)
})

test('an answer of a newer program, with more in it, is understood', () => {
  const line = { device: '/dev/video0', ok: true, driver: 'uvcvideo', card: 'x', is_capture: true, modes: [], news: 1 }

  assert.equal(readAnswers(['/dev/video0'], JSON.stringify(line))[0]?.ok, true)
})

test('it is told when a device file for video comes or goes, and of nothing else', async (t) => {
  const { tree, cameras } = treeOf(t)
  const scope = Scope.makeUnsafe()
  t.after(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  let changes = 0
  await Effect.runPromise(
    Scope.provide(
      cameras.watch(() => changes++),
      scope,
    ),
  )

  writeFileSync(join(tree.dev, 'ttyACM0'), '')
  tree.plug({ number: 0 })
  await until('news of a camera', () => changes > 0)
  const seen = changes
  unlinkSync(join(tree.dev, 'video0'))
  await until('news of its end', () => changes > seen)
})

test('a USB device is reset by taking it away and finding it anew; without the right to, it says so', async (t) => {
  const { tree, cameras } = treeOf(t)
  tree.plug({ number: 0 })
  const [node] = await Effect.runPromise(cameras.nodes)
  assert.ok(node)
  const authorized = join(tree.usbFolder(), 'authorized')
  writeFileSync(authorized, '')

  await Effect.runPromise(cameras.reset(node))
  assert.equal(readFileSync(authorized, 'utf8'), '1')

  unlinkSync(authorized)
  mkdirSync(authorized)
  const fault = await Effect.runPromise(Effect.flip(cameras.reset(node)))
  assert.match(fault.detail, /the USB device of .*video0 cannot be reset: /)
})

test('a camera is switched on again whoever ends its reset in the middle, and before that one goes on', async (t) => {
  const off = Promise.withResolvers<void>()
  const whileOff = Effect.andThen(
    Effect.sync(() => off.resolve()),
    Effect.never,
  )
  const { folder, tree, cameras } = treeOf(t, { whileOff })
  tree.plug({ number: 0 })
  const [node] = await Effect.runPromise(cameras.nodes)
  assert.ok(node)
  const authorized = join(tree.usbFolder(), 'authorized')
  writeFileSync(authorized, '1')

  const reset = Effect.runFork(cameras.reset(node))
  await arrival('the camera switched off', off.promise)
  assert.equal(readFileSync(authorized, 'utf8'), '0')
  await Effect.runPromise(Fiber.interrupt(reset))

  assert.equal(readFileSync(authorized, 'utf8'), '1')
  assert.deepEqual(readdirSync(join(folder, 'notes')), [])
})

const KILLED = `
  import * as Effect from 'effect/Effect'
  import { linuxCameras } from './native/cameras/linux.ts'
  const [sysfs, dev, notes] = process.argv.slice(1)
  const whileOff = Effect.promise(async () => process.kill(process.pid, 'SIGKILL'))
  const cameras = linuxCameras({ sysfs, dev, notes, whileOff })
  const [node] = await Effect.runPromise(cameras.nodes)
  await Effect.runPromise(cameras.reset(node))
`

test('a camera that was switched off when the service was killed is switched on by its next run', async (t) => {
  const { folder, tree, cameras } = treeOf(t)
  tree.plug({ number: 0 })
  const authorized = join(tree.usbFolder(), 'authorized')
  writeFileSync(authorized, '1')
  const notes = join(folder, 'notes')

  const { signal } = spawnSync(
    process.execPath,
    ['--input-type=module-typescript', '--eval', KILLED, tree.sysfs, tree.dev, notes],
    { cwd: new URL('../../../', import.meta.url), timeout: 60_000 },
  )
  assert.deepEqual([signal, readFileSync(authorized, 'utf8'), readdirSync(notes).length], ['SIGKILL', '0', 1])
  await Effect.runPromise(Effect.scoped(cameras.watch(() => {})))

  assert.deepEqual([readFileSync(authorized, 'utf8'), readdirSync(notes)], ['1', []])
})
