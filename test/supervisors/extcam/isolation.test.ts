// One adapter breaks, whoever asks it; of the other nobody notices. Over real sockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { createApi, listen } from '../../../api/server/server.ts'
import { defaultPolicy } from '../../../machines/supervision/policy.ts'
import type { FakeNt4Session } from '../../../native/nt4/fake.ts'
import { API } from '../../../supervisors/http/branch.ts'
import { liveStreams } from '../../support/engine/live-streams.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { until } from '../../support/until.ts'

const source = { backend: 'images', path: '/pictures', fps: 100 } as const

/** From now on whoever reads a frame of the stream breaks: its feed, its serializer. Returns the way to mend that. */
const poison = ({ results }: StreamRuntime): (() => void) => {
  const { set } = results
  results.set = ({ layout }) =>
    set.call(results, {
      layout,
      get data(): never {
        throw new Error('this frame breaks whoever reads it')
      },
    })
  return () => {
    results.set = set
  }
}

/** Two streams on ports of their own, with a robot and an API. */
const twoStreams = async (t: TestContext) => {
  const service = await liveStreams(t, {
    options: { nt4: '10.12.34.2:5810' },
    policy: { ...defaultPolicy, retryEveryMs: 1_000 },
  })
  const app = await createApi({ ...service.resolve(API) })
  t.after(() => app.close())
  const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
  const partOf = (name: string) => service.directory.parts().find((part) => part.name === name)
  const add = async (id: string) => {
    const [results_port, push_port] = await Promise.all([freePort(), freePort()])
    const stream = await service.addStream({ id, source, extcam: { table: id, results_port, push_port } })
    for (const sort of ['results', 'push'])
      await until(`${sort} of ${id}`, () => partOf(`extcam-ports/${id}/${sort}`)?.state === 'open.listening')
    const socket = new WebSocket(`ws://127.0.0.1:${push_port}`)
    t.after(() => socket.terminate())
    let pushed = 0
    socket.on('message', () => {
      pushed += 1
    })
    await once(socket, 'open')
    const statusAt = async (url: string) => (await fetch(url)).status
    return {
      stream,
      pushed: () => pushed,
      isConnected: () => socket.readyState === WebSocket.OPEN,
      answers: () =>
        Promise.all([
          statusAt(`http://127.0.0.1:${results_port}/results`),
          statusAt(`http://127.0.0.1:${results_port}/status`),
          statusAt(`http://127.0.0.1:${port}/extcam/${id}/results`),
        ]),
    }
  }
  const robot = (await until('the robot', () => service.nt4.session)) as FakeNt4Session
  const written = (id: string) => Number(robot.newest(`/${id}/hb`) ?? 0)
  return { ...service, add, partOf, written }
}

test('an adapter that fails at each frame harms no other, and recovers with the first good frame', async (t) => {
  const { add, partOf, written } = await twoStreams(t)
  const [front, rear] = [await add('front'), await add('rear')]
  await until('both', () => front.pushed() > 3 && rear.pushed() > 3 && written('front') > 3 && written('rear') > 3)

  const mend = poison(front.stream)
  await until('the crash', () => (partOf('extcam/front')?.restarts ?? 0) >= 1)
  const before = { pushed: rear.pushed(), written: written('rear') }
  await until('frames of the other', () => rear.pushed() > before.pushed + 20 && written('rear') > before.written + 20)

  assert.deepEqual(await front.answers(), [500, 500, 500])
  assert.deepEqual(await rear.answers(), [200, 200, 200])
  assert.deepEqual([partOf('extcam/rear')?.restarts, partOf('extcam/rear')?.fault], [0, null])
  for (const name of ['streams/front', 'streams/rear', 'extcam-ports/front/results', 'extcam-ports/front/push'])
    assert.equal(partOf(name)?.restarts, 0, name)
  assert.ok(front.isConnected(), 'even who listens to it keeps his connection')

  mend()
  const { pushed } = { pushed: front.pushed() }
  await until('the adapter', () => partOf('extcam/front')?.state === 'publishing' && front.pushed() > pushed + 5)
  assert.deepEqual(await front.answers(), [200, 200, 200])
})
