// A viewer of video who is slower than it: what he loses, and that nothing grows.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { test } from 'node:test'
import type { Placeholder } from '../../../../api/stream/preview/placeholder.ts'
import { VideoViewer } from '../../../../api/stream/preview/video-viewer.ts'
import { FakeClock } from '../../../../native/clock/fake.ts'
import { systemClock } from '../../../../native/clock/system.ts'
import { assertProblem, fakeApi } from '../../../support/api/api.ts'
import { streamRuntime } from '../../../support/engine/stream-runtime.ts'
import { packetsIn } from '../../../support/media/video-packets.ts'

/** A socket that takes nothing until it is told to. */
class SlowSocket extends Duplex {
  readonly #taken: Buffer[] = []
  #isOpen = true
  #take = () => {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const take = () => {
      this.#taken.push(chunk)
      done()
    }
    if (this.#isOpen) take()
    else this.#take = take
  }

  stall(): void {
    this.#isOpen = false
  }

  takeAgain(): void {
    this.#isOpen = true
    this.#take()
  }

  destroySoon(): void {
    this.destroy()
  }

  get packets() {
    return packetsIn(Buffer.concat(this.#taken))
  }
}

const started = () => {
  const stream = streamRuntime({ id: 'front', source: { backend: 'synthetic' } })
  const socket = new SlowSocket()
  let nowUs = 1_000_000
  const clock = { ...systemClock, nowMs: () => 1_700_000_000_000, monotonicUs: () => nowUs }
  const placeholder = { jpeg: null, subscribe: () => () => {} } as unknown as Placeholder
  new VideoViewer(socket as unknown as Socket, { clock, stream, want: { library: 'x' }, isMetered: true, placeholder })
  const deliver = (is_key: boolean, length = 1000) => {
    nowUs += 33_333
    stream.viewers.video.deliver({ captured_us: nowUs, is_key, bytes: new Uint8Array(length) })
  }
  return { stream, socket, deliver, pass: (us: number) => (nowUs += us) }
}

test('a viewer begins with a key, and sees all from there on', () => {
  const { socket, deliver } = started()

  for (const isKey of [false, true, false, false]) deliver(isKey)

  assert.deepEqual(
    socket.packets.map(({ isKey, hasConfiguration }) => [isKey, hasConfiguration]),
    [
      [true, true],
      [false, false],
      [false, false],
    ],
  )
  assert.equal(socket.packets[0]?.timeUs, 1_700_000_000_000_000n + 66_666n)
})

test('when the clock is set, what comes from then on has the new time', () => {
  const stream = streamRuntime({ id: 'front', source: { backend: 'synthetic' } })
  const socket = new SlowSocket()
  const clock = new FakeClock()
  const placeholder = { jpeg: null, subscribe: () => () => {} } as unknown as Placeholder
  new VideoViewer(socket as unknown as Socket, { clock, stream, want: { library: 'x' }, isMetered: true, placeholder })
  const deliver = () =>
    stream.viewers.video.deliver({ captured_us: clock.monotonicUs(), is_key: true, bytes: new Uint8Array(9) })

  deliver()
  const before = clock.nowMs()
  clock.setBy(86_400_000)
  deliver()

  assert.deepEqual(
    socket.packets.map(({ timeUs }) => timeUs),
    [BigInt(before) * 1000n, BigInt(before + 86_400_000) * 1000n],
  )
})

test('one who takes nothing keeps a bounded part of it, and goes on with a key', async () => {
  const { stream, socket, deliver } = started()
  deliver(true)
  socket.stall()

  for (let n = 0; n < 600; n++) deliver(n % 30 === 0, 10_000)
  const held = socket.writableLength
  const counted = stream.viewers.video.metered.bytes
  const drained = once(socket, 'drain')
  socket.takeAgain()
  await drained
  const before = socket.packets.length
  for (const isKey of [false, false, true, false]) deliver(isKey)

  assert.ok(held < 200_000, `${held} bytes`)
  assert.ok(counted >= held && counted < held + 2000, 'what he was not sent does not count')
  assert.deepEqual(
    socket.packets.slice(before).map(({ isKey }) => isKey),
    [true, false],
  )
})

test('one who takes nothing for half a minute is let go, and so is everybody when the stream is deleted', async () => {
  const { socket, deliver, pass, stream } = started()
  const other = started()
  deliver(true)
  socket.stall()

  for (let n = 0; n < 30; n++) deliver(true, 10_000)
  pass(31_000_000)
  deliver(true)
  other.stream.delete()
  await Promise.all([socket, other.socket].map((each) => once(each, 'close')))

  assert.deepEqual([stream.viewers.video.viewers, other.stream.viewers.video.viewers], [0, 0])
})

test('a device without an encoder says so, of previews and of recordings', async (t) => {
  const { app, fake } = await fakeApi(t)
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const headers = { host: 'localhost', 'content-type': 'application/json' }

  const answers = [
    await app.inject({ method: 'GET', url: '/v1/streams/front/preview?codec=h264', headers: { host: 'localhost' } }),
    await app.inject({
      method: 'POST',
      url: '/v1/streams/front/recording/start',
      headers,
      payload: '{"codec":"h264"}',
    }),
  ]

  for (const { statusCode, body, headers: said } of answers) {
    const problem = assertProblem(
      { status: statusCode, contentType: `${said['content-type']}`, body },
      'codec.unavailable',
    )
    assert.match(problem.detail, /^this device cannot encode H\.264: /)
  }
})
