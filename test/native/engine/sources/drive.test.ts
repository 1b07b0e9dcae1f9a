import assert from 'node:assert/strict'
import { test } from 'node:test'
import { header, type Result } from '../../../../machines/engine/result.ts'
import type { PoseDocument } from '../../../../machines/localization/pose.ts'
import type { StreamManifest } from '../../../../machines/stream/manifest.ts'
import type { SyntheticSource } from '../../../../machines/stream/sources/synthetic.ts'
import { startEngine } from '../../../support/engine/engine-task.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'
import { stepped } from '../../../support/engine/stepped.ts'
import { arrival } from '../../../support/until.ts'

const LEVEL: PoseDocument = { x_m: 0, y_m: 0, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
const drive = { seed: 7, speed_m_s: 5, spin_deg_s: 360 }

const onDrive = (pose: Partial<PoseDocument>, source: Partial<SyntheticSource> = {}): StreamManifest => ({
  source: { backend: 'synthetic', width_px: 320, height_px: 200, fps: 60, motion: 'drive', drive, ...source },
  pose: { ...LEVEL, ...pose },
})

interface Place {
  readonly atS: number
  readonly x: number
  readonly y: number
}

const placeOf = (result: Result): Place => {
  const [truth] = rowObjects(result, 'truth') ?? []
  assert.ok(truth)
  return {
    atS: header(result, 'captured_us') / 1e6,
    x: Number(truth.field_robot_x_m),
    y: Number(truth.field_robot_y_m),
  }
}

/** Lagrange's through the four places around a time: a robot's acceleration changes by steps of 0.1 s. */
const placeAt = (places: readonly Place[], atS: number): Place | undefined => {
  const after = places.findIndex((place) => place.atS > atS)
  const around = places.slice(after - 2, after + 2)
  if (after < 2 || around.length < 4 || (around[3] as Place).atS - (around[0] as Place).atS > 0.07) return undefined
  const weights = around.map((one) =>
    around.reduce(
      (product, { atS: other }) => (other === one.atS ? product : (product * (atS - other)) / (one.atS - other)),
      1,
    ),
  )
  const sum = (of: 'x' | 'y') => around.reduce((total, place, n) => total + place[of] * (weights[n] as number), 0)
  return { atS, x: sum('x'), y: sum('y') }
}

test('two cameras with one drive are on one robot, whatever their mounts and whenever they were opened', async (t) => {
  const front = await startEngine(t)
  const back = await startEngine(t)
  await front.open(onDrive({ x_m: 0.3, z_m: 0.5 }))
  await front.nextResult()
  await back.open(onDrive({ x_m: -0.3, z_m: 0.7, yaw_deg: 180 }, { seed: 2, fps: 47 }))
  const opened = front.results.length

  const apartM = (): readonly number[] => {
    const places = front.results.slice(Math.max(0, opened - 4)).map(placeOf)
    return back.results.flatMap((result) => {
      const there = placeOf(result)
      const here = placeAt(places, there.atS)
      return here ? [Math.hypot(there.x - here.x, there.y - here.y)] : []
    })
  }
  await arrival(
    'sixty moments that both have seen',
    new Promise<void>((resolve) => back.onResult(() => back.results.length > 60 && apartM().length >= 60 && resolve())),
    () => ({ front: front.results.length, back: back.results.length }),
  )

  const farthestM = Math.max(...apartM())
  assert.ok(farthestM < 0.001, `${farthestM} m apart`)
})

test('a camera that sits elsewhere than its pose says is found there by the truth, and not by the pose', async () => {
  const still: SyntheticSource = { backend: 'synthetic', motion: 'still', noise: 0 }
  const solvedOf = async (source: SyntheticSource) => {
    const [result] = await stepped({ manifest: { source, pose: { ...LEVEL, z_m: 0.5 } }, frames: 1 })
    const [truth, pose] = [rowObjects(result as Result, 'truth')?.[0], rowObjects(result as Result, 'pose')?.[0]]
    assert.ok(truth && pose)
    return {
      robotM: Number(truth.field_robot_x_m),
      raisedM: Number(truth.field_camera_z_m) - Number(truth.field_robot_z_m),
      offM: Number(pose.field_robot_z_m) - Number(truth.field_robot_z_m),
    }
  }

  const whole = await solvedOf(still)
  const moved = await solvedOf({ ...still, faults: { mount: { ...LEVEL, z_m: 0.1 } } })
  const raised = await solvedOf({
    ...still,
    faults: { tags: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ id, offset: { ...LEVEL, z_m: 0.1 } })) },
  })

  const isM = (found: number, m: number) => assert.ok(Math.abs(found - m) < 0.02, `${found} m, not ${m}`)
  isM(whole.offM, 0)
  assert.equal(moved.robotM, whole.robotM)
  isM(moved.raisedM, 0.6)
  isM(moved.offM, 0.1)
  isM(raised.raisedM, 0.5)
  isM(raised.offM, -0.1)
})

test('equal options give equal pictures of a drive, and another seed of it does not', async () => {
  const seen = async (more: Partial<SyntheticSource>) =>
    (
      await stepped({
        manifest: onDrive({ z_m: 0.5 }, { width_px: 640, height_px: 400, ...more }),
        frames: 20,
        every: 30,
      })
    ).map(({ data, layout }) => [...data.slice(0, 2), ...data.slice(10 + layout.stages.length)])

  const [one, again, other] = [await seen({}), await seen({}), await seen({ drive: { ...drive, seed: 8 } })]

  assert.deepEqual(again, one)
  assert.notDeepEqual(other, one)
})
