// What changes all the time of all streams, as those who listen are told it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventSchema } from '../../machines/events/event.ts'
import { schemaErrors } from '../../machines/schema/errors.ts'
import { streamFigures } from '../../machines/stream/events.ts'
import type { LiveFigures } from '../../machines/stream/live-figures.ts'
import { listeningApi } from '../support/api/api.ts'
import { listenToEvents } from '../support/api/event-listener.ts'
import { packed } from '../support/engine/packed.ts'
import { until } from '../support/until.ts'

const WANTED = { max_width_px: 0, quality: 0, overlay: false, fps: 0 }

test('who listens is told the rate and the viewers of each stream, and who comes back none of it twice', async (t) => {
  const { url, fake } = await listeningApi(t)
  const stream = await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  await fake.addStream({ id: 'rear', source: { backend: 'synthetic' } })
  fake.engine('front').showFrame()
  await fake.state('front', 'live')
  const { messages, socket } = await listenToEvents(t, url)
  const figures = () => messages.filter(({ kind }) => kind === 'stream_figures')
  const newest = () => (figures().at(-1)?.data as { readonly streams: readonly LiveFigures[] } | undefined)?.streams
  await until('the first figures', newest, (streams) => streams?.length === 2)

  const nowUs = fake.directory.clock.monotonicUs()
  stream.results.set(
    packed({ seq: 4, captured_us: nowUs - 20_000, started_us: nowUs, finished_us: nowUs - 10_000 }, []),
  )
  stream.viewers.pictures.watch(WANTED)

  await until('the viewer', newest, (streams) => streams?.[0]?.viewers === 1)
  const [front, rear] = newest() ?? []
  assert.deepEqual([front?.id, front?.restarts, front?.recording], ['front', 0, null])
  assert.equal(typeof front?.latency_ms, 'number')
  assert.deepEqual([rear?.id, rear?.fps, rear?.latency_ms], ['rear', null, null])
  for (const event of figures()) assert.deepEqual(schemaErrors(eventSchema(streamFigures), event), [])

  socket.terminate()
  const again = await listenToEvents(t, url, `?since=0&epoch=${fake.directory.identity.epoch}`)
  await until(
    'figures of now',
    () => again.messages.at(-1)?.kind,
    (kind) => kind === 'stream_figures',
  )
  assert.equal(again.messages.filter(({ kind }) => kind === 'stream_figures').length, 1)
})
