// A camera nobody knows the lens of is calibrated as a team would do it: pictures of a board, a verdict, and poses that
// are right.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Calibration } from '../../machines/calibration/calibration.ts'
import type { FoundBoard } from '../../machines/calibration/task.ts'
import { type Pose, rotate } from '../../machines/localization/pose.ts'
import type { SidecarRecord } from '../../machines/recording/sidecar.ts'
import { CALIBRATION_PROGRAMS, linuxCalibration } from '../../native/calibration/linux.ts'
import {
  boardCamera,
  HIDDEN_LENS,
  holdBoard,
  solvePictures,
  takePictures,
} from '../support/calibration/board-camera.ts'
import { project } from '../support/calibration/simulated-set.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'
import { until } from '../support/until.ts'

const noPrograms =
  !Object.values(CALIBRATION_PROGRAMS).every((path) => existsSync(path)) &&
  'the programs are not built; run: sh native/setup.sh'

/** What the vendor prints on the box: the same lens, less a twelfth of its focal length. */
const OF_THE_BOX = { width_px: 1280, height_px: 800, fx_px: 830, fy_px: 830, cx_px: 639.5, cy_px: 399.5 }

const PICTURES = 12

/** A calibration that is kept. */
interface CalibrationView {
  readonly spec: Calibration
  readonly status: { readonly in_force_on: readonly string[] }
}

/** Of a board in the truth of a frame. */
interface QuaternionPose {
  readonly x_m: number
  readonly y_m: number
  readonly z_m: number
  readonly qw: number
  readonly qx: number
  readonly qy: number
  readonly qz: number
}

const poseIn = ({ x_m: x, y_m: y, z_m: z, ...turn }: QuaternionPose): Pose => ({ x, y, z, ...turn })

interface Sample {
  readonly seq: number
  readonly error?: { readonly distance_m: number; readonly angle_deg: number }
}

/** How far off the solved pose is in the next frames, the mean of them. */
const poseErrorM = async (daemon: Daemon, id: string): Promise<number> => {
  const errors = new Map<number, number>()
  await until(
    `poses of ${id}`,
    async () => {
      const { sample } = await daemon.get<{ sample: Sample | null }>(`/v1/streams/${id}/truth`)
      if (sample?.error) errors.set(sample.seq, sample.error.distance_m)
      return errors.size
    },
    (count) => count >= 8,
  )
  return [...errors.values()].reduce((sum, each) => sum + each / errors.size, 0)
}

/** How far off the corners of pictures that are kept are, pixels: they are lossy JPEGs. */
const cornersOff = async (t: TestContext, daemon: Daemon, names: readonly string[]) => {
  const cwd = folderOf(t)
  const paths = names.map((name) => join(cwd, name))
  const poses: Pose[] = []
  for (const [n, name] of names.entries()) {
    const read = async (query: string) => (await fetch(`${daemon.url}/v1/media/${name}${query}`)).arrayBuffer()
    writeFileSync(paths[n] as string, Buffer.from(await read('')))
    const [, record = ''] = Buffer.from(await read('?as=results'))
      .toString()
      .split('\n')
    const { truth } = (JSON.parse(record) as SidecarRecord).outputs as { truth: { camera_board: QuaternionPose }[] }
    poses.push(poseIn((truth[0] as { camera_board: QuaternionPose }).camera_board))
  }
  const board = (await Effect.runPromise(linuxCalibration().corners(paths))) as FoundBoard
  const off = board.pictures.flatMap((picture, n) =>
    ('corners' in picture ? picture.corners : []).map(([column, row, u, v]) => {
      // in the body: x forward, y left, z up
      const pose = poses[n] as Pose
      const [x, y, z] = rotate(pose, 0, (5.5 - column) * 0.024, (3.5 - row) * 0.024)
      const [seenU, seenV] = project([-(pose.y + y) / (pose.x + x), -(pose.z + z) / (pose.x + x)])
      return [u - seenU, v - seenV] as const
    }),
  )
  const mean = (of: (each: readonly [number, number]) => number) =>
    off.reduce((sum, each) => sum + of(each) / off.length, 0)
  return {
    count: off.length,
    bias: Math.max(Math.abs(mean(([u]) => u)), Math.abs(mean(([, v]) => v))),
    rms: Math.sqrt(mean(([u, v]) => u * u + v * v)),
  }
}

test('a camera is calibrated by a board, and poses are right; a bent board is told of, a frontal one refused', {
  skip: noPrograms,
}, async (t) => {
  const daemon = await site(t).start()
  const { source, pipeline } = boardCamera({})
  const { status } = await daemon.addStream({ id: 'front', source, pipeline })
  assert.equal(status.lens?.source, 'guessed')

  const names = await takePictures(daemon, 'front', PICTURES)
  const off = await cornersOff(t, daemon, names.slice(0, 6))
  t.diagnostic(`${off.count} corners of snapshots: bias ${off.bias.toFixed(4)} px, rms ${off.rms.toFixed(4)} px`)
  assert.ok(off.count > 200 && off.bias < 0.01 && off.rms < 0.07, JSON.stringify(off))
  const { job_id, calibration } = await solvePictures(daemon, names)

  assert.deepEqual([calibration.verdict, calibration.reasons], ['good', []])
  const { intrinsics, deviations, rms_px, map } = calibration
  assert.ok(intrinsics && deviations && map)
  t.diagnostic(`fx ${intrinsics.fx_px} of ${HIDDEN_LENS.fx_px}, deviation ${deviations[0]}, rms ${rms_px} px`)
  for (const [n, name] of (['fx_px', 'fy_px', 'cx_px', 'cy_px'] as const).entries())
    assert.ok(Math.abs(intrinsics[name] - HIDDEN_LENS[name]) < 4 * (deviations[n] as number), name)
  assert.ok(Math.abs(intrinsics.fx_px - HIDDEN_LENS.fx_px) < 0.5, String(intrinsics.fx_px))
  assert.ok((rms_px as number) < 0.08, String(rms_px))

  // the same camera on a robot in front of tags
  const { board: _, ...withoutBoard } = source
  await daemon.addStream({
    id: 'robot',
    source: { ...withoutBoard, fps: 15, motion: 'orbit' },
    pose: { x_m: 0.2, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 },
    intrinsics: { ...OF_THE_BOX, distortion: [] },
  })
  const before = await poseErrorM(daemon, 'robot')
  const saved = await daemon.send('POST', '/v1/streams/robot/calibration/save', { job_id, apply: true })
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  const { spec, status: kept } = await daemon.get<CalibrationView>(`/v1/calibrations/${saved.body.calibration_id}`)
  assert.deepEqual([spec.verdict, kept.in_force_on], ['good', ['robot']])
  await until(
    'the calibration in force',
    () => daemon.stream('robot', 'live'),
    (stream) => stream.status.lens?.fx_px === intrinsics.fx_px,
  )
  const after = await poseErrorM(daemon, 'robot')
  t.diagnostic(`poses ${(100 * before).toFixed(1)} cm off before, ${(100 * after).toFixed(1)} cm after`)
  assert.ok(before > 0.1 && after < before / 5, `${before} m before, ${after} m after`)
  assert.equal((await daemon.send('DELETE', '/v1/streams/robot')).status, 204)

  await holdBoard(daemon, 'front', { bend_width_mm: 1.5 })
  const bent = await solvePictures(daemon, await takePictures(daemon, 'front', PICTURES))

  const told = bent.calibration.reasons.find(({ code }) => code === 'bent')
  assert.match(String(told?.detail), /bent by 1\.5 mm/)
  assert.ok(Math.abs((bent.calibration.bend_mm?.[0] as number) - 1.5) < 0.1, String(bent.calibration.bend_mm))
  assert.ok(Math.abs((bent.calibration.intrinsics?.fx_px as number) - HIDDEN_LENS.fx_px) < 1)

  await holdBoard(daemon, 'front', { bend_width_mm: 0, views: 'frontal' })
  const frontal = await solvePictures(daemon, await takePictures(daemon, 'front', PICTURES))

  assert.equal(frontal.calibration.verdict, 'refused')
  assert.equal(frontal.calibration.reasons[0]?.code, 'frontal')
  assert.match(String(frontal.calibration.reasons[0]?.detail), /tilt/)
  const { status: answer, body } = await daemon.send('POST', '/v1/streams/front/calibration/save', {
    job_id: frontal.job_id,
  })
  assert.deepEqual([answer, body.code], [409, 'calibration.refused'])
})
