// A real engine on the pictures of another device, which say by another clock when they were taken.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { header, type Result } from '../../../../machines/engine/result.ts'
import { monotonicUs } from '../../../../native/clock/system.ts'
import { livePictures, networkCamera } from '../../../support/cameras/network-camera.ts'
import { startEngine, takePicture } from '../../../support/engine/engine-task.ts'
import { until } from '../../../support/until.ts'

const AHEAD_US = 70_000_000
const LATE_US = 80_000
const CLOCK = { offset_us: AHEAD_US, within_us: 6_000 }

const capturedUs = (result: Result) => header(result, 'captured_us')

/**
 * An engine whose pictures come late. device.lateUs: by how much, as they say; undefined: they do not say. stamps: what
 * they said.
 */
const late = async (t: TestContext) => {
  const { picture } = await takePicture(t)
  const device: { lateUs: number | undefined } = { lateUs: LATE_US }
  const stamps = new Set<number>()
  const stamp = () => {
    if (device.lateUs === undefined) return ''
    const stampUs = Math.round(monotonicUs()) + AHEAD_US - device.lateUs
    stamps.add(stampUs)
    return `X-Captured-Us: ${stampUs}\r\n`
  }
  const camera = await networkCamera(t, livePictures(picture.jpeg, stamp))
  const probe = await startEngine(t)
  const opened = await probe.open({ source: { backend: 'url', url: camera.url(), fps: 50 } })
  const { results, events } = probe
  const isStamped = (result: Result | undefined) => result !== undefined && stamps.has(capturedUs(result) + AHEAD_US)
  /** As soon as one has, or has not, the time that its device says. */
  const stamped = (is: boolean) =>
    until(`a result that is ${is ? '' : 'not '}stamped there`, () => isStamped(results.at(-1)) === is)
  const sources = () => events.flatMap((event) => (event.type === 'stamped' ? [event.timestamp_source] : []))
  return { ...probe, opened, device, stamped, sources }
}

test('a picture has the time that its device says, as soon as and as long as the clock of that is known', async (t) => {
  const { engine, opened, results, stamped, nextEvent, nextResult, sources } = await late(t)
  await nextResult()
  const sent = results.length

  engine.setSourceClock(CLOCK)
  await stamped(true)
  await until('word of it', () => sources().length === 1)
  const ended = nextEvent('stamped')
  engine.setSourceClock(null)
  await stamped(false)
  await ended

  assert.equal(opened.timestamp_source, 'arrival')
  assert.deepEqual(sources(), ['peer', 'arrival'])
  const times = results.map(capturedUs)
  assert.ok(
    sent > 0 && times.every((us, n) => n === 0 || us > (times[n - 1] as number)),
    'a time is not later than the one before',
  )
})

test('a time that cannot be, and none, is that of the arrival, and is so again when it can be', async (t) => {
  const { engine, device, stamped } = await late(t)
  engine.setSourceClock(CLOCK)
  await stamped(true)

  for (const lateUs of [-20_000, 5_100_000, AHEAD_US, undefined]) {
    device.lateUs = lateUs
    await stamped(false)
    device.lateUs = LATE_US
    await stamped(true)
  }
})
