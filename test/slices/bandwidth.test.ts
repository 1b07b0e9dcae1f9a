// The bandwidth budget in a service with real engines: who watches over the network shares it, who watches on the device does not notice.
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import type { StreamView } from '../../api/streams/wire.ts'
import { site } from '../support/daemon.ts'
import { pictures, type ShownPicture, type Viewer, viewer } from '../support/preview.ts'
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

/** So many more pictures. */
const nextOf = async ({ shown }: Viewer, count: number): Promise<readonly ShownPicture[]> => {
  const from = pictures(shown).length
  await until(
    `${count} pictures`,
    () => pictures(shown).length,
    (length) => length >= from + count,
  )
  return pictures(shown).slice(from, from + count)
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
