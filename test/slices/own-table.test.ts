// A dashboard that knows structs and nothing of us: it reads the schemas, then where the robot stands, and that is
// where it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoMap } from '../../machines/localization/field-map.ts'
import { type PoseDocument, poseFromDocument } from '../../machines/localization/pose.ts'
import type { Nt4Update } from '../../native/nt4/port.ts'
import { posesIn } from '../machines/own-table/pose-structs.ts'
import { gather, nt4Lab } from '../support/nt4/nt4.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const source = { backend: 'synthetic', width_px: 1280, height_px: 800, fps: 15, motion: 'still' } as const
const pose = { x_m: 0.2, y_m: 0.1, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg: 5 }

const numbersOf = (document: PoseDocument) => {
  const { x, y, z, qw, qx, qy, qz } = poseFromDocument(document)
  return [x, y, z, qw, qx, qy, qz]
}

/** Metres, and degrees between two turns. */
const apart = (a: readonly number[], b: readonly number[]) => {
  const [x, y, z, ...turn] = a.map((value, n) => [value, b[n] as number] as const)
  const dot = Math.abs(turn.reduce((sum, [one, other]) => sum + one * other, 0))
  return {
    m: Math.hypot(...[x, y, z].map((pair) => (pair ? pair[0] - pair[1] : Number.NaN))),
    deg: (Math.acos(Math.min(1, dot)) * 360) / Math.PI,
  }
}

test('robot and tags are where the synthetic camera has them, in one frame with its time of capture', async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
  await daemon.addStream({ id: 'front', source, pose })
  const dashboard = await nt4Lab(t).connect(await until('the port of its NT4 server', () => daemon.nt4Port))
  const schemas = gather(dashboard, ['/.schema/'], { prefix: true })
  const { updates } = gather(dashboard, ['/vedette/front/'], { prefix: true, all: true })
  const framesOf = () => Map.groupBy(updates, ({ timestampUs }) => timestampUs)
  const whole = (frame: readonly Nt4Update[]) => frame.length === 8
  const frames = await until(
    'whole frames',
    () => [...framesOf().values()].filter(whole),
    (seen) => seen.length >= 5,
  )
  const { sample } = await until(
    'the truth',
    () => daemon.get<{ sample: { robot: PoseDocument } | null }>('/v1/streams/front/truth'),
    (known) => known.sample !== null,
  )

  const texts = new Map(
    schemas.updates.map(({ topic, value }) => [
      topic.name.replace('/.schema/struct:', ''),
      new TextDecoder().decode(value as Uint8Array),
    ]),
  )
  assert.deepEqual([...texts.keys()].toSorted(), ['Pose3d', 'Quaternion', 'Rotation3d', 'Translation3d'])
  assert.ok(schemas.updates.every(({ topic }) => topic.type === 'structschema' && topic.properties.retained === true))
  for (const frame of frames) {
    const of = (key: string) => frame.find(({ topic }) => topic.name === `/vedette/front/${key}`)
    assert.deepEqual([of('robot_pose')?.topic.type, of('tags')?.topic.type], ['struct:Pose3d', 'struct:Pose3d[]'])
    const [robot] = posesIn(of('robot_pose')?.value as Uint8Array, texts)
    const error = apart(robot as readonly number[], numbersOf((sample as { robot: PoseDocument }).robot))
    assert.ok(error.m < 0.02 && error.deg < 0.5, `off by ${error.m} m, ${error.deg} deg`)
    const ids = of('tag_ids')?.value as readonly number[]
    const tags = posesIn(of('tags')?.value as Uint8Array, texts)
    assert.ok(ids.length > 0 && tags.length === ids.length)
    ids.forEach((id, n) => {
      const known = demoMap.tags.find((tag) => tag.id === id) as (typeof demoMap.tags)[number]
      const off = apart(tags[n] as readonly number[], numbersOf(known.pose))
      assert.ok(off.m < 1e-9 && off.deg < 1e-4, `tag ${id} is off by ${off.m} m, ${off.deg} deg`)
    })
    const deviations = of('std_devs')?.value as readonly number[] | undefined
    assert.ok(deviations?.length === 6 && deviations.every((each) => each >= 0))
    assert.deepEqual([of('state')?.value, of('connected')?.value], ['live', true])
    assert.equal(of('captured_us')?.value, frame[0]?.timestampUs)
    const agoUs = dashboard.serverTimeUs() - Number(of('captured_us')?.value)
    assert.ok(agoUs > 0 && agoUs < 60_000_000, `captured ${agoUs} us ago`)
  }
})
