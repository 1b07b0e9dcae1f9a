// Recordings as live pictures: at their pace, for as long as somebody takes them.
import assert from 'node:assert/strict'
import { type Readable, Writable } from 'node:stream'
import { test } from 'node:test'
import { playback } from '../../../api/media/playback.ts'
import type { RecordedPicture } from '../../../native/media/port.ts'
import { arrival, until } from '../../support/until.ts'

async function* picture(n: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`picture ${n}, `)
  yield Buffer.from('its end')
}

async function* recording(...timesUs: readonly number[]): AsyncGenerator<RecordedPicture> {
  for (const [n, pts_us] of timesUs.entries())
    yield { pts_us, size_bytes: `picture ${n}, its end`.length, pieces: () => picture(n) }
}

const textOf = async (parts: Readable): Promise<string> => {
  let text = ''
  for await (const piece of parts) text += piece
  return text
}

const shownIn = (text: string) => [...text.matchAll(/picture (\d+), its end/g)].map(([, n]) => Number(n))

test('every picture comes as a part with its place in the recording, the last twice', async () => {
  let isClosed = false
  const close = async () => {
    isClosed = true
  }

  const { parts } = playback({ pictures: recording(0, 1000, 2500), close })
  const text = await textOf(parts)

  assert.deepEqual(shownIn(text), [0, 1, 2, 2])
  assert.deepEqual(
    [...text.matchAll(/Content-Length: 18\r\nX-Position-Ms: ([\d.]+)/g)].map(([, ms]) => Number(ms)),
    [0, 1, 2.5, 2.5],
  )
  assert.ok(isClosed)
})

test('a pause of any length in a recording is a short one for its viewer', async () => {
  const years = 1e15

  const { parts } = playback({ pictures: recording(0, years, years + 1000), close: async () => {}, maxPauseMs: 10 })

  assert.deepEqual(shownIn(await arrival('its end', textOf(parts))), [0, 1, 2, 2])
})

test('a recording is played faster and slower than it was taken', async () => {
  const waited = async (speed: number) => {
    const startMs = performance.now()
    await textOf(playback({ pictures: recording(0, 240_000), close: async () => {}, speed }).parts)
    return performance.now() - startMs
  }

  const slow = await waited(0.5)

  assert.ok(slow >= 479, `half as fast took ${slow} ms for 240`)
  await until(
    `eight times as fast, in less than ${slow} ms`,
    () => waited(8), // 30 ms, and what the machine adds
    (fast) => fast < slow,
  )
})

test('a viewer who takes nothing is let go, and the recording is closed', async () => {
  const closed = Promise.withResolvers<string>()
  async function* large(): AsyncGenerator<Uint8Array> {
    for (;;) yield Buffer.alloc(65_536)
  }
  const endless = async function* (): AsyncGenerator<RecordedPicture> {
    yield { pts_us: 0, size_bytes: 1e12, pieces: large }
  }
  const stalled = new Writable({ write: () => {} }) // never asks for more

  const { parts } = playback({
    pictures: endless(),
    close: async () => closed.resolve('closed'),
    stallLimitMs: 20,
  })
  parts.pipe(stalled)

  assert.equal(await arrival('its end', closed.promise), 'closed')
  assert.ok(parts.destroyed)
})
