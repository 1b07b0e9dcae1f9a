// The bandwidth budget in a service with real engines: who watches over the network shares it, who watches on the
// device does not notice.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { networkInterfaces } from 'node:os'
import { json } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import { pictures, type ShownPicture, type Viewer, viewer } from '../support/api/preview.ts'
import { noFfmpeg } from '../support/media/boxes.ts'
import { videoViewer } from '../support/media/video-packets.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

/** An address of this machine that is not its loopback: who comes from there came over a network. */
const networkAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address

const BUDGET_MBIT_S = 1

/** The width that a baseline JPEG names in its header. */
const widthOf = ({ jpeg }: ShownPicture): number => jpeg.readUInt16BE(jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 7)

/** Bits a second of what was shown, by the times at which it was taken. */
const mbitOf = (shown: readonly ShownPicture[]): number => {
  const [first, last] = [shown.at(0)?.timeS ?? 0, shown.at(-1)?.timeS ?? 0]
  const bytes = shown.slice(1).reduce((sum, { jpeg }) => sum + jpeg.length, 0)
  return (8 * bytes) / 1e6 / (last - first)
}

/** So many pictures that are taken from now on: those from before may still be on their way. */
const nextOf = async ({ shown }: Viewer, count: number): Promise<readonly ShownPicture[]> => {
  const nowS = Date.now() / 1000
  const taken = () => pictures(shown).filter(({ timeS }) => timeS > nowS)
  return (await until(`${count} pictures`, taken, ({ length }) => length >= count)).slice(0, count)
}

test('what goes over the network stays within the budget, the more important stream first', async (t) => {
  const address = networkAddress()
  if (!address) return t.skip('this machine has no address but its loopback, so nobody can come over a network')
  const daemon = await site(t).start({ 'bandwidth-mbit-s': String(BUDGET_MBIT_S) })
  const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15, noise: 24 } as const
  await daemon.addStream({ id: 'driver', priority: 9, source })
  await daemon.addStream({ id: 'rear', priority: 1, source })
  const at = (id: string) => `${daemon.url}/v1/streams/${id}/preview`
  const bandwidthOf = async (id: string) => (await daemon.metrics(id)).bandwidth

  const [driver, rear, here] = [
    await viewer(t, at('driver'), address),
    await viewer(t, at('rear'), address),
    await viewer(t, at('driver')),
  ]
  const settled = await until(
    'a budget that is kept',
    () => bandwidthOf('rear'),
    (found) => found !== null && found.sent_mbit_s > 0 && found.device_granted_mbit_s <= BUDGET_MBIT_S,
  )
  await until('small pictures', () => pictures(rear.shown).some((each) => widthOf(each) < 640))
  const [few, many, all] = await Promise.all([nextOf(rear, 2), nextOf(driver, 10), nextOf(here, 20)])
  const status = (await daemon.get<StreamView>('/v1/streams/rear')).status
  const { limits } = await daemon.get<{ limits: { bandwidth_mbit_s: number } }>('/v1/streams/capabilities')

  t.diagnostic(
    `driver ${mbitOf(many).toFixed(2)} Mbit/s, rear ${mbitOf(few).toFixed(2)}, here ${mbitOf(all).toFixed(2)}`,
  )
  assert.ok(mbitOf(many) < BUDGET_MBIT_S, 'the more important one alone keeps it')
  assert.ok(mbitOf(all) > BUDGET_MBIT_S, 'who watches here gets more than all who do not')
  assert.ok(all.every((each) => widthOf(each) === 640))
  assert.ok(few.every((each) => widthOf(each) < 640))
  assert.ok(many.every((each) => widthOf(each) >= Math.max(...few.map(widthOf))))
  assert.deepEqual(
    settled?.previews.map(({ viewers, width_px }) => [viewers, width_px]),
    [[1, 640]],
  )
  assert.equal(status.warnings.at(-1)?.code, 'preview.limited')
  assert.equal(limits.bandwidth_mbit_s, BUDGET_MBIT_S)

  for (const { response } of [driver, rear]) response.destroy()
  await until(
    'nobody who is limited',
    () => daemon.get<StreamView>('/v1/streams/rear'),
    (found) => found.status.warnings.length === 0,
  )
  assert.deepEqual((await bandwidthOf('rear'))?.previews, [])
})

/** What he is told who is not shown anything. */
const refusalOf = async (t: TestContext, url: string, localAddress: string) => {
  const request = get(url, { agent: false, localAddress })
  t.after(() => request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  assert.notEqual(response.statusCode, 200, 'he is shown something')
  const { code, detail } = (await json(response)) as { code: string; detail: string }
  return { status: response.statusCode, code, detail }
}

test('H.264 over the network counts, and who finds no room for it is told so', { skip: noFfmpeg }, async (t) => {
  const address = networkAddress()
  if (!address) return t.skip('this machine has no address but its loopback, so nobody can come over a network')
  const budget = 3
  const daemon = await site(t).start({ 'bandwidth-mbit-s': String(budget) })
  const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15, noise: 24 } as const
  await daemon.addStream({ id: 'front', source })
  const pictureUrl = `${daemon.url}/v1/streams/front/preview`
  const videoUrl = `${pictureUrl}?codec=h264`
  const bandwidth = async () => (await daemon.metrics('front')).bandwidth

  const jpegs = await viewer(t, pictureUrl, address)
  const video = await videoViewer(t, videoUrl, address)
  const refusal = await refusalOf(t, videoUrl, address)
  const here = await videoViewer(t, videoUrl)
  const settled = await until('a budget that is kept', bandwidth, (found) => {
    return found !== null && found.video_viewers === 1 && found.device_granted_mbit_s <= budget && found.sent_mbit_s > 0
  })
  const from = 30 // the encoder begins with half a second of what it may send
  await until(
    'the video after its beginning',
    () => video.packets().length,
    (length) => length > from,
  )
  const shown = await nextOf(jpegs, 10)
  const packets = video.packets().slice(from)
  video.leave()
  const again = await until(
    'room for another',
    () => videoViewer(t, videoUrl, address),
    ({ response }) => response.statusCode === 200,
  )

  const videoS = Number((packets.at(-1)?.timeUs ?? 0n) - (packets[0]?.timeUs ?? 0n)) / 1e6
  const videoMbit = (8 * packets.slice(1).reduce((sum, { payload }) => sum + payload.length, 0)) / 1e6 / videoS
  t.diagnostic(`video ${videoMbit.toFixed(2)} Mbit/s, pictures ${mbitOf(shown).toFixed(2)}, for ${videoS.toFixed(1)} s`)
  assert.deepEqual([refusal.status, refusal.code], [429, 'viewer.too_many'])
  assert.match(refusal.detail, /may take 2\.15 Mbit\/s, and 3 is the budget .*; one watches already\. Close one/)
  assert.ok(videoMbit + mbitOf(shown) < budget, 'both together keep it')
  assert.ok((settled?.granted_mbit_s ?? 0) > 2.15, 'both have their part')
  assert.equal(here.response.statusCode, 200)
  assert.ok(here.isOpen() && again.isOpen() && jpegs.isOpen())
})
