// The resource guard on real engines, on a made-up device that is too hot: what is cut is really less, and all of it is
// there again when people say so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceGuard } from '../../api/guard/wire.ts'
import type { StreamView } from '../../api/stream/wire.ts'
import { pictures, type ShownPicture, viewer } from '../support/api/preview.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const ROW = '/v1/device/resource-guard'
const FRAMES = 12

/** The width that a baseline JPEG names in its header. */
const widthOf = ({ jpeg }: ShownPicture): number => jpeg.readUInt16BE(jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 7)

test('a hot device shows smaller pictures, looks at fewer, and runs no lower stream, until wanted', async (t) => {
  const daemon = await site(t).start({ device: 'fake:hot', guard: 'on' })
  const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: 30 } as const
  const statusOf = async (id: string) => (await daemon.get<StreamView>(`/v1/streams/${id}`)).status
  await daemon.addStream({ id: 'front', source })
  const { guard } = await until(
    'fewer pictures that are processed',
    () => statusOf('front'),
    (status) => (status.guard?.takes_every ?? 1) > 1,
  )
  const { shown } = await viewer(t, `${daemon.url}/v1/streams/front/preview`)
  const newestWidth = () => {
    const newest = pictures(shown).at(-1)
    return newest && widthOf(newest)
  }
  await until('small pictures', newestWidth, (width) => width === 320)
  const first = await daemon.metrics('front')
  const before = await until(
    'frames that are left out', // it was told, and heeds it from the next frame on
    () => daemon.metrics('front'),
    ({ skipped }) => skipped >= first.skipped + 3,
  )
  const after = await until(
    `${FRAMES} more frames`,
    () => daemon.metrics('front'),
    ({ frames }) => frames >= before.frames + FRAMES,
  )
  const leftOut = after.skipped - before.skipped
  const least = ((guard?.takes_every ?? 0) - 1) * (FRAMES - 2)
  assert.ok(leftOut >= least, `${leftOut} frames were left out, at least ${least} are to be`)

  await daemon.send('POST', '/v1/streams', { id: 'rear', source })
  const rear = await daemon.stream('rear', 'paused')
  assert.equal(rear.status.fault?.code, 'guard.paused')
  assert.equal((await daemon.metrics('rear')).engine_pid, null)

  const { body } = await daemon.send<ResourceGuard>('POST', `${ROW}/restore/rear`)
  assert.ok((body.streams.find(({ stream_id }) => stream_id === 'rear')?.guard?.held_until_ms ?? 0) > 0)
  await daemon.stream('rear', 'live')

  await daemon.send('PATCH', ROW, { enabled: false })
  await until('pictures as they were asked for', newestWidth, (width) => width === 640)
  assert.equal((await statusOf('front')).guard, null)
})
