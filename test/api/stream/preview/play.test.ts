// Pictures to a viewer that this process serves, and takes them slowly: when it is let go.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import type { Placeholder } from '../../../../api/stream/preview/placeholder.ts'
import { play } from '../../../../api/stream/preview/play.ts'
import { Latest } from '../../../../machines/latest.ts'
import type { Picture, PictureWatch } from '../../../../machines/stream/picture.ts'
import { FakeClock } from '../../../../native/clock/fake.ts'

/** A viewer who takes nothing that is sent, and pictures for it. */
const stalled = (t: TestContext) => {
  const clock = new FakeClock()
  const socket = new Writable({ write: () => {} })
  const pictures = new Latest<Picture>()
  const watch = { pictures } as unknown as PictureWatch
  const placeholder = { jpeg: null, subscribe: () => () => {} } as unknown as Placeholder
  t.after(play(socket as unknown as Socket, { clock, watch, placeholder, fps: 0 }))
  let seq = 0
  const show = (captured_us: number) => {
    seq += 1
    const shape = { width_px: 8, height_px: 8, passthrough: false } as const
    pictures.set({ key: 'k', seq, captured_us, ...shape, jpeg: new Uint8Array(100) })
  }
  return { clock, socket, show }
}

test('who takes the pictures of a file slowly that is played fast is not let go early', (t) => {
  const { clock, socket, show } = stalled(t)

  for (let n = 0; n < 30; n++) {
    show(60_000_000 * n)
    clock.advanceMs(900)
  }

  assert.equal(socket.destroyed, false)
})

test('who takes no picture for 30 s is let go, also when times of capture go back meanwhile', (t) => {
  const { clock, socket, show } = stalled(t)

  for (let n = 0; n < 31; n++) {
    show(1_000_000 * (n % 5))
    clock.advanceMs(1_000)
  }
  assert.equal(socket.destroyed, false)
  clock.advanceMs(1_000)
  show(0)

  assert.equal(socket.destroyed, true)
})
