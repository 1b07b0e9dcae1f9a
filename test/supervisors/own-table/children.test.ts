// Which streams have a table of our own.
import { type TestContext, test } from 'node:test'
import { NT4_DOCUMENT, nt4Collection } from '../../../machines/nt4/settings.ts'
import type { FakeNt4Session } from '../../../native/nt4/fake.ts'
import { liveStreams } from '../../support/engine/live-streams.ts'
import { until } from '../../support/until.ts'

const camera = (id: string) => ({ id, source: { backend: 'images', path: '/pictures', fps: 100 } as const })

/**
 * A service with a robot that is there. shown: waits until these streams have tables, and no others, and localization
 * has one. gone: until there are none at all.
 */
const published = async (t: TestContext) => {
  const parts = await liveStreams(t, { options: { nt4: '10.12.34.2:5810' } })
  const robot = (await until('the robot', () => parts.nt4.session)) as FakeNt4Session
  const tables = () =>
    [...new Set([...robot.published.values()].map(({ name }) => name.match(/^\/vedette\/(\w+)\//)?.[1]))].filter(
      Boolean,
    )
  const are = (...names: string[]) => until(`${names}`, tables, (now) => `${now.toSorted()}` === `${names.toSorted()}`)
  return { ...parts, robot, shown: (...names: string[]) => are('localization', ...names), gone: () => are() }
}

test('each stream that runs has its table, those that are internal or switched off have none', async (t) => {
  const { put, shown, robot } = await published(t)

  await put(camera('front'))
  await put({ ...camera('hidden'), internal: true })
  await put({ ...camera('off'), enabled: false })
  await put(camera('rear'))

  await shown('front', 'rear')
  await until('frames', () => robot.newest('/vedette/rear/captured_us'))
  await until('the state', () => robot.newest('/vedette/rear/connected') === true)
})

test('the tables go and come with their setting, whatever becomes of the emulated camera', async (t) => {
  const { put, shown, gone, directory, robot } = await published(t)
  await put(camera('front'))
  await shown('front')
  const set = (value: object, revision: number) =>
    directory.settings.trigger.committed({
      collection: nt4Collection.name,
      id: NT4_DOCUMENT,
      collectionRevision: revision,
      collectionBase: 0,
      revision,
      value,
    })

  set({ publish_own_table: false }, 1)
  await gone()

  set({ publish_own_table: true, emulate_extcam_api: false }, 2)
  await shown('front')
  const others = () => [...robot.published.values()].filter(({ name }) => name.startsWith('/limelight/')).length
  await until('the end of the emulated camera', others, (count) => count === 0)
})

test('a stream that is deleted has none any more', async (t) => {
  const { put, drop, shown } = await published(t)
  await put(camera('front'))
  await shown('front')

  await drop('front')

  await shown()
})
