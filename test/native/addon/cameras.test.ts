// Tier 1: the program that tells which cameras there are, with emulated ones.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { emulatedUsb } from '../../support/cameras/v4l2/cameras.ts'
import { cameraModels } from '../../support/cameras/v4l2/models.ts'
import { startEngine } from '../../support/engine/engine-task.ts'
import { folderOf } from '../../support/processes/folder.ts'

const PROGRAM = fileURLToPath(new URL('../../../native/addon/build/cameras', import.meta.url))
const NO_KILL = fileURLToPath(new URL('../../support/cameras/no-kill.cc', import.meta.url))
const LIMIT_MS = 10_000 // as native/programs/run.ts: so long it waits for what is not read to its end

/** What it prints, line by line. */
const ask = async (environment: Readonly<Record<string, string>>, ...devices: readonly string[]) => {
  const { stdout } = await promisify(execFile)(PROGRAM, devices, {
    env: { ...process.env, ...environment },
    timeout: LIMIT_MS,
  })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('it says what each camera is and can, in the order in which it is asked', async (t) => {
  const usb = emulatedUsb(t)
  const [web, every] = [usb.plug(cameraModels.webCamera), usb.plug(cameraModels.everyFormat)]

  const [second, first, metadata] = await ask(
    ...([usb.environment, every.device, web.device, web.device.replace(/0$/, '1')] as const),
  )

  assert.deepEqual(
    [first.device, first.ok, first.driver, first.card, first.is_capture, first.busy],
    [web.device, true, 'uvcvideo', 'HD Web Camera', true, false],
  )
  assert.deepEqual(first.modes, [
    { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: [30] },
    { pixel_format: 'mjpeg', width_px: 640, height_px: 480, fps: [30, 15] },
    { pixel_format: 'yuyv', width_px: 640, height_px: 480, fps: [30, 15] },
    { pixel_format: 'yuyv', width_px: 320, height_px: 240, fps: [30] },
  ])
  assert.deepEqual(first.other_formats, ['H264'])
  assert.equal(first.controls.length, 7)
  assert.equal(second.device, every.device)
  assert.deepEqual([metadata.ok, metadata.is_capture, metadata.modes], [true, false, []])
})

test('of a camera with sizes in steps it names the usual sizes and rates', async (t) => {
  const usb = emulatedUsb(t)
  const camera = usb.plug(cameraModels.everyFormat)

  const [{ modes }] = await ask(usb.environment, camera.device)

  const grey = modes.filter(({ pixel_format }: { readonly pixel_format: string }) => pixel_format === 'grey')
  assert.deepEqual(
    grey.map(({ width_px, height_px }: { readonly width_px: number; readonly height_px: number }) => [
      width_px,
      height_px,
    ]),
    [
      [320, 240],
      [640, 400],
      [640, 480],
      [800, 600],
      [960, 720],
      [1280, 720],
      [1280, 800],
      [1280, 960],
      [1600, 1200],
    ],
  )
  assert.deepEqual(grey[0].fps, [60, 50, 30, 25, 20, 15, 10, 5, 1])
})

test('it tells who is busy, who is not there and who does not answer, and waits for none of them', async (t) => {
  const usb = emulatedUsb(t)
  usb.useHere(t)
  const [busy, gone, silent, well] = [0, 1, 2, 3].map(() => usb.plug(cameraModels.webCamera)) as [
    ...[ReturnType<typeof usb.plug>, ReturnType<typeof usb.plug>],
    ...[ReturnType<typeof usb.plug>, ReturnType<typeof usb.plug>],
  ]
  const probe = await startEngine(t)
  await probe.openCamera(busy)
  gone.unplug()
  silent.state.set('query_delay_ms', 60_000)

  const said = await ask({}, busy.device, gone.device, silent.device, well.device)

  assert.deepEqual(
    said.map(({ ok, busy: isBusy, errno }) => [ok, isBusy, errno]),
    [
      [true, true, undefined],
      [false, undefined, 2],
      [false, undefined, 110],
      [true, false, undefined],
    ],
  )
  for (const { ok, detail } of said) assert.equal(typeof detail, ok ? 'undefined' : 'string')
})

test('a camera whose driver keeps even a process that is killed keeps nobody else waiting', async (t) => {
  const usb = emulatedUsb(t)
  const [silent, well] = [usb.plug(cameraModels.webCamera), usb.plug(cameraModels.webCamera)]
  silent.state.set('query_delay_ms', 60_000)
  const folder = folderOf(t)
  const [library, unkilled] = [join(folder, 'no-kill.so'), join(folder, 'unkilled')]
  execFileSync('g++', ['-shared', '-fPIC', '-o', library, NO_KILL])
  const preload = `${usb.environment.LD_PRELOAD}:${library}`
  const startedAt = performance.now()

  const said = await ask(
    { ...usb.environment, LD_PRELOAD: preload, UNKILLED: unkilled },
    silent.device,
    well.device,
  ).finally(() => process.kill(Number(readFileSync(unkilled, 'utf8')), 'SIGKILL'))

  const tookMs = performance.now() - startedAt
  assert.ok(tookMs < LIMIT_MS - 2_000, `it took ${tookMs} ms`)
  assert.deepEqual(
    said.map(({ device, ok, errno }) => [device, ok, errno]),
    [
      [silent.device, false, 110],
      [well.device, true, undefined],
    ],
  )
})
