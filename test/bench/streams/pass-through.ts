// How late a camera's own JPEG is with ten viewers at 60 fps, against a bare loop that takes the same bytes from the
// same emulated camera and sends them to the same readers, turn about in one run: from the driver's time stamp until
// the last byte has been written, by the kernel's stamps on what the readers get.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { emulatedUsb } from '../../support/cameras/v4l2/cameras.ts'
import { cameraModels } from '../../support/cameras/v4l2/models.ts'
import { builtProgram } from '../bare/build.ts'
import { addStream, startDaemon } from '../lab/daemon.ts'
import { sourceOn } from '../lab/emulated.ts'
import { CORNER } from '../lab/graphs.ts'
import { type Measurement, start } from '../lab/lab.ts'
import { type Row, rowsOver } from '../lab/row.ts'
import { MOUNT, renderJpegs } from '../lab/scenes.ts'
import { SECONDS, type Seen, seenBy } from './audience.ts'
import { ID, PREVIEW } from './watched-camera.ts'

const ROUNDS = 8
const VIEWERS = 10
const MODE = { pixel_format: 'mjpeg', width_px: 1280, height_px: 800, fps: 60 } as const

interface Turn {
  readonly ours: Seen
  readonly bare: Seen
}

export const passThrough: Measurement = async (lab) => {
  const synthetic = { source: { backend: 'synthetic', fps: 10 }, pose: MOUNT } as const
  const [picture] = (await renderJpegs(lab, { manifest: synthetic, name: 'picture', count: 1 })) as [string]
  const usb = emulatedUsb({ after: lab.defer })
  const [first, second] = [
    usb.plug(cameraModels.globalShutter, { serial: 'A' }),
    usb.plug(cameraModels.globalShutter, { serial: 'B' }),
  ]
  const jpeg = readFileSync(picture)
  for (const camera of [first, second]) camera.showPictures([jpeg])
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data'), env: usb.environment })
  const source = await sourceOn(daemon, first.device, MODE)
  await addStream(daemon, { id: ID, internal: true, source, pipeline: CORNER })
  const audience = { path: PREVIEW, count: VIEWERS, jpeg: picture }
  const turns: Turn[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await seenBy(lab, { ...audience, port: new URL(daemon.url).port }, (wait) => wait())
    const words = [second.device, String(MODE.width_px), String(MODE.height_px), String(MODE.fps), String(VIEWERS)]
    const server = start(lab, await builtProgram('forward'), words, usb.environment)
    const bare = await seenBy(lab, { ...audience, port: await server.line() }, (wait) => wait())
    await server.stop()
    turns.push({ ours, bare })
    lab.say(`p99 ${ours.p99_us} against ${bare.p99_us} µs, p50 ${ours.p50_us} against ${bare.p50_us} µs`)
  }
  return rowsOf(turns)
}

const MS = 1000 // µs

const rowsOf = (turns: readonly Turn[]): Row[] => {
  const row = rowsOver(turns, `${turns.length} rounds of ${SECONDS} s`)
  const all = SECONDS * MODE.fps
  return [
    row(
      oneLine`
        a camera's own JPEG at 60 fps to ${VIEWERS} viewers: from the driver's stamp to the last byte, p99 above the
        bare loop's
      `,
      'ms',
      ({ ours, bare }) => (ours.p99_us - bare.p99_us) / MS,
      { atMost: 3 },
    ),
    row('  p50 above the bare loop', 'ms', ({ ours, bare }) => (ours.p50_us - bare.p50_us) / MS),
    row('  the bare loop, p99', 'ms', ({ bare }) => bare.p99_us / MS),
    row("  pictures that are not the camera's bytes", '', ({ ours }) => ours.foreign, { atMost: 0 }),
    row('  pictures of the worst-off viewer', '%', ({ ours }) => Math.min(100, (100 * ours.min_parts) / all)),
    row('  the same with the bare loop', '%', ({ bare }) => Math.min(100, (100 * bare.min_parts) / all)),
  ]
}
