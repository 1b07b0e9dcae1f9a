// Two real services with clocks of their own and a wire between them on which pictures are late: when a picture was
// taken is known where it is worked on.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { viewer } from '../support/api/preview.ts'
import { noOtherClock, withClockAhead } from '../support/clock/other-clock.ts'
import { lateWire } from '../support/peers/late-wire.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

// Pictures come so seldom that it is clear whose time is whose: one that has the time of its arrival is nearer to none
// by less than it was late.
const SOURCE = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 4, motion: 'still', noise: 0 } as const
const LATE_MS = 60
const NEAR_US = 20_000 // two thirds less than they are late
const AHEAD_S = 5_000
const S_US = 1_000_000
const HERE = 'back-front'
const SAMPLES = 5

const linked = (here: Daemon) =>
  until(
    'the link',
    () => here.get<PeerRecord>('/v1/peers/back'),
    ({ status }) => status === 'linked',
  )

const stampedBy = (here: Daemon, source: string) =>
  until(
    `times that rest on ${source}`,
    () => here.get<StreamView>(`/v1/streams/${HERE}`),
    ({ status }) => status.timestamp_source === source,
  )

/** The times of capture of that many results, from now on. */
const captures = async (here: Daemon): Promise<readonly number[]> => {
  const seen = new Set<number>()
  await until(
    'results',
    async () => {
      const path = `/v1/streams/${HERE}/pipeline/outputs/pose/sample`
      const { status, body } = await here.send<{ sample: { captured_us: number } }>('GET', path)
      if (status === 200) seen.add(body.sample.captured_us)
      return seen.size
    },
    (size) => size > SAMPLES,
  )
  return [...seen].slice(1) // the first may be of before
}

/** How far each time is from that of any picture of the source, whose clock is so far ahead, in microseconds. */
const offBy = (times: readonly number[], truth: readonly { readonly capturedUs: number }[], aheadUs: number) =>
  times.map((us) => Math.min(...truth.map(({ capturedUs }) => Math.abs(us - (capturedUs - aheadUs)))))

const isTrue = (
  t: TestContext,
  times: readonly number[],
  truth: readonly { readonly capturedUs: number }[],
  aheadUs: number,
) => {
  const off = offBy(times, truth, aheadUs)
  t.diagnostic(`off by ${off.join(', ')} µs`)
  assert.ok(Math.max(...off) < NEAR_US, `off by ${off.join(', ')} µs`)
}

/** A device with another clock, behind a late wire, whose pictures are worked on here. */
const attached = async (t: TestContext) => {
  const [back, front] = [site(t), site(t)]
  const there = await back.start({}, withClockAhead(AHEAD_S))
  await there.addStream({ id: 'front', source: SOURCE })
  const here = await front.start()
  await here.send('POST', '/v1/peers', { base_url: await lateWire(t, there.url, LATE_MS), name: 'back' })
  await linked(here)
  const { status, body } = await here.send('POST', '/v1/peers/back/streams/front/commands', {
    request_id: 'one',
    command: 'set_compute',
    payload: { compute: 'local_attach' },
  })
  assert.equal(status, 200, JSON.stringify(body))
  await here.stream(HERE, 'live')
  const again = (aheadS: number) => back.start({ http: new URL(there.url).host }, withClockAhead(aheadS))
  return { there, here, again }
}

test('a late picture has the capture time of its device by either clock, also after a restart', {
  skip: noOtherClock,
}, async (t) => {
  const { there, here, again } = await attached(t)
  const watching = await viewer(t, `${there.url}/v1/streams/front/preview`)

  await stampedBy(here, 'peer')
  const times = await captures(here)
  await until('the same pictures', () =>
    watching.shown.some(({ capturedUs }) => capturedUs - AHEAD_S * S_US > (times.at(-1) ?? 0)),
  )
  isTrue(t, times, watching.shown, AHEAD_S * S_US)

  await there.end('SIGKILL')
  const there2 = await again(2 * AHEAD_S)
  await here.stream(HERE, 'live')
  const watching2 = await viewer(t, `${there2.url}/v1/streams/front/preview`)
  const [last = 0] = times.slice(-1)
  await stampedBy(here, 'peer')
  const times2 = await captures(here)
  await until('the same pictures', () =>
    watching2.shown.some(({ capturedUs }) => capturedUs - 2 * AHEAD_S * S_US > (times2.at(-1) ?? 0)),
  )

  isTrue(t, times2, watching2.shown, 2 * AHEAD_S * S_US)
  assert.ok(times2.every((us) => us > last))
})
