// Localization within the service, on fake engines whose pictures show two tags exactly.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { LOCALIZATION, ROUND_SOLVER } from '../../../actors/localization/tokens.ts'
import { header, type Result, rowsOf } from '../../../machines/engine/result.ts'
import { localizationStateChanged } from '../../../machines/localization/events.ts'
import { type Pose, poseAt } from '../../../machines/localization/pose.ts'
import { LocalizationSolver } from '../../../machines/localization/solve-rounds.ts'
import type { FakeBatch, FakeNt4Session } from '../../../native/nt4/fake.ts'
import { branch } from '../../../supervisors/composition/branch.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeService, type ServiceParts } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const mounts = {
  front: { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 },
  left: { x_m: 0.2, y_m: 0.25, z_m: 0.6, roll_deg: 0, pitch_deg: -5, yaw_deg: 12 },
}

/** A service with two streams and a robot that is there. */
const service = async (t: TestContext, parts: ServiceParts = {}) => {
  const running = await fakeService(t, { ...parts, options: { nt4: '10.12.34.2:5810', ...parts.options } })
  const robot = (await until('the robot', () => running.nt4.session)) as FakeNt4Session
  for (const [id, pose] of Object.entries(mounts))
    await running.addStream({ id, source: { backend: 'synthetic', fps: 30 }, pose })
  const { resolve, engine, clock, streams } = running
  /** Both show a frame of one moment, 33 ms after the last. */
  const show = (...ids: readonly string[]) => {
    clock.advanceMs(33)
    for (const id of ids.length > 0 ? ids : ['front', 'left']) engine(id).showFrame()
  }
  const newest = (id: string) => streams.get(id)?.results.value as Result
  return { ...running, robot, show, newest, localization: resolve(LOCALIZATION) }
}

const truthOf = (result: Result): Pose => {
  const rows = rowsOf(result, 'truth') ?? assert.fail('there is no truth')
  return poseAt(result.data, rows.offset)
}

test('the cameras of all streams give one pose, in the slot and on the server of the robot', async (t) => {
  const { show, newest, localization, robot } = await service(t)
  for (let n = 0; n < 4; n++) show()

  const { solved, tags, cameras, capturedUs, isSure, map } =
    localization.solved.value ?? assert.fail('nothing was solved')
  const truth = truthOf(newest('front'))
  assert.ok(solved && isSure)
  assert.ok(Math.hypot(solved.pose.x - truth.x, solved.pose.y - truth.y, solved.pose.z - truth.z) < 0.01)
  assert.deepEqual(tags.map(({ streamId, id, used }) => `${streamId} ${id} ${used}`).toSorted(), [
    'front 1 true',
    'front 2 true',
    'left 1 true',
    'left 2 true',
  ])
  assert.deepEqual(cameras.map(({ streamId }) => streamId).toSorted(), ['front', 'left'])
  assert.equal(capturedUs, header(newest('left'), 'captured_us'))
  assert.match(map.hash, /^[0-9a-f]{64}$/)
  assert.equal(localization.state(), 'tracking')
  const written = new Float64Array(
    Uint8Array.from(robot.newest('/vedette/localization/robot_pose') as Uint8Array).buffer,
  )
  assert.deepEqual([...written].slice(0, 3), [solved.pose.x, solved.pose.y, solved.pose.z])
  assert.equal(robot.newest('/vedette/localization/state'), 'tracking')
  assert.equal(robot.newest('/vedette/localization/map'), `demo@${map.hash.slice(0, 6)}`)
})

test('each round is written once, in order, however long one engine is away', async (t) => {
  const { show, robot, engine, state } = await service(t)
  const stamps = () =>
    robot.batches.flatMap(({ values, timestampUs }) =>
      values.has('/vedette/localization/robot_pose') ? [timestampUs] : [],
    )
  for (let n = 0; n < 6; n++) show() // with its first frame a stream becomes live

  engine('left').crash()
  await state('left', 'restarting')
  for (let n = 0; n < 5; n++) show('front')

  assert.equal(stamps().length, 10)
  assert.ok(stamps().every((us, n, all) => n === 0 || us > (all[n - 1] as number)))
})

/** What was written to all tables but that of localization; values as text. */
const writtenElsewhere = (batches: readonly FakeBatch[]) =>
  batches.flatMap(({ values, timestampUs }) => {
    const rows = [...values].filter(([name]) => !name.startsWith('/vedette/localization/'))
    return rows.length > 0 ? [`${timestampUs} ${rows.map(([name, each]) => `${name}=${each}`).join(' ')}`] : []
  })

test('a solver that throws costs localization alone: streams and their tables are the same bit for bit', async (t) => {
  const broken = branch({
    offers: [
      value(ROUND_SOLVER, (by) => {
        const solver = new LocalizationSolver(by)
        solver.solve = () => {
          throw new Error('no such corner')
        }
        return solver
      }),
    ],
    needs: {},
    start: () => Effect.void,
  })
  const [whole, harmed] = [await service(t), await service(t, { added: [broken] })]

  for (const { show } of [whole, harmed]) for (let n = 0; n < 20; n++) show()

  assert.deepEqual(writtenElsewhere(harmed.robot.batches), writtenElsewhere(whole.robot.batches))
  assert.ok(writtenElsewhere(whole.robot.batches).length >= 40)
  assert.deepEqual(harmed.newest('front').data, whole.newest('front').data)
  const part = harmed.directory.parts().find(({ name }) => name === 'localization')
  assert.ok(part && part.state !== 'running' && part.fault, JSON.stringify(part))
  assert.equal(harmed.status('front')?.state, 'live')
  assert.equal(harmed.localization.solved.value, undefined)
})

test('each change of the state is published', async (t) => {
  const parts = await service(t)
  const states: unknown[] = []
  parts.directory.events.subscribe(({ kind, data }) => {
    if (kind === localizationStateChanged.kind) states.push((data as { state: string }).state)
  })

  for (let n = 0; n < 3; n++) parts.show()
  await parts.drop('front')
  await parts.drop('left')
  await until('the end of both', () => states.at(-1) === 'waiting')

  assert.match(states.join(' '), /^lost tracking (lost )?waiting$/) // lost: when 0.3 s pass before the streams are gone
})
