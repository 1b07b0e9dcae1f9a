// Which streams the robot sees, and under which names.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Directory } from '../../../actors/directory.ts'
import { NT4_DOCUMENT, type Nt4Settings, nt4Collection } from '../../../machines/nt4/settings.ts'
import { LOCALIZATION_TOPICS } from '../../../machines/own-table/localization-topics.ts'
import { POSE_SCHEMAS } from '../../../machines/own-table/structs.ts'
import type { FakeNt4Session } from '../../../native/nt4/fake.ts'
import { liveStreams } from '../../support/engine/live-streams.ts'
import { until } from '../../support/until.ts'

const camera = (id: string) => ({ id, source: { backend: 'images', path: '/pictures', fps: 100 } as const })

/** Has the NT4 settings changed. */
const change = (directory: Directory, value: Partial<Nt4Settings>, revision: number) =>
  directory.settings.trigger.committed({
    collection: nt4Collection.name,
    id: NT4_DOCUMENT,
    collectionRevision: revision,
    collectionBase: 0,
    revision,
    value,
  })

/** How many topics are published once, whatever becomes of a stream. */
const STAYING = POSE_SCHEMAS.length + Object.keys(LOCALIZATION_TOPICS).length

/** A service with a robot that is there. */
const published = async (t: TestContext) => {
  const parts = await liveStreams(t, { options: { nt4: '10.12.34.2:5810' } })
  const robot = (await until('the robot', () => parts.nt4.session)) as FakeNt4Session
  /** The topics that an adapter has published now. */
  const topics = () => [...robot.published.values()].filter(({ name }) => name.startsWith('/limelight'))
  const tables = () => [...new Set(topics().map(({ name }) => name.split('/')[1]))]
  const shown = (...names: string[]) => until(`${names}`, tables, (now) => `${now}` === `${names}`)
  return { ...parts, robot, tables, shown }
}

test('streams get their tables in order of creation, and their status says which', async (t) => {
  const { put, shown, status } = await published(t)

  await put(camera('front'))
  await put(camera('rear'))

  await shown('limelight', 'limelight-rear')
  assert.deepEqual([status('front')?.extcam_table, status('rear')?.extcam_table], ['limelight', 'limelight-rear'])
})

test('the tables go and come with their setting', async (t) => {
  const { put, shown, status, directory } = await published(t)
  await put(camera('front'))
  await shown('limelight')
  const set = (emulate_extcam_api: boolean, revision: number) => change(directory, { emulate_extcam_api }, revision)

  set(false, 1)
  await shown()
  assert.equal(status('front')?.extcam_table, null)

  set(true, 2)
  await shown('limelight')
})

test('a changed way of publishing is in force at once', async (t) => {
  const { put, shown, robot, directory } = await published(t)
  await put(camera('front'))
  await shown('limelight')
  const hasJson = () => [...robot.published.values()].some(({ name }) => name === '/limelight/json')
  assert.ok(hasJson())

  change(directory, { json: 'never' }, 1)
  await until('its end', hasJson, (has) => !has)
  change(directory, { publish_period_ms: 50 }, 2)
  await until('its return', hasJson)
})

test('a stream that is created while another is still ending gets its table all the same', async (t) => {
  const { put, drop, shown, state, ends } = await published(t)
  await put(camera('front'))
  await state('front', 'live')
  ends.close()

  await drop('front')
  await shown()
  await put(camera('rear'))

  await shown('limelight')
  ends.open()
  await state('rear', 'live')
})

test('a stream that is deleted and created again at once is fed from the new one', async (t) => {
  const { put, drop, shown, state, robot } = await published(t)
  await put(camera('front'))
  await state('front', 'live')
  await shown('limelight')

  const dropped = drop('front')
  await put(camera('front'))
  await dropped
  await state('front', 'live')
  await until(
    'a table of its own',
    () => robot.publishes,
    (count) => count === 2 * robot.published.size - STAYING,
  )

  const frames = () => robot.batches.filter(({ values }) => values.has('/limelight/botpose')).length
  const before = frames()
  await until('frames', frames, (count) => count > before + 5)
})

test('the heartbeat goes on where it was when the robot was away, with the frames that came meanwhile', async (t) => {
  const { put, shown, state, nt4, robot, streams } = await published(t)
  await put(camera('front'))
  await state('front', 'live')
  await shown('limelight')
  const heartbeat = (session: FakeNt4Session) => Number(session.newest('/limelight/hb'))
  await until('a heartbeat', () => heartbeat(robot))

  nt4.unreachable = { code: 'nt4.unreachable', detail: 'the robot is off' }
  robot.drop()
  const frames = () => streams.get('front')?.meter.frames ?? 0
  const before = frames()
  await until('frames without a robot', frames, (now) => now > before + 20)
  nt4.unreachable = undefined
  const again = await until('the robot', () => (nt4.session === robot ? undefined : nt4.session))

  const [first] = await until(
    'the table',
    () => (again as FakeNt4Session).batches.filter(({ values }) => values.has('/limelight/hb')),
    (all) => all.length > 0,
  )
  assert.ok(Number(first?.values.get('/limelight/hb')) > before + 20)
})
