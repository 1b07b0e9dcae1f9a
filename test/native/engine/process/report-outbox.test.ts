import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import type { Picture } from '../../../../machines/stream/picture.ts'
import { ReportOutbox } from '../../../../native/engine/process/report-outbox.ts'
import { FrameReader } from '../../../../native/engine/protocol/frames.ts'
import type { Report } from '../../../../native/engine/protocol/reports.ts'

const photo: Omit<Picture, 'jpeg'> = {
  key: '640/75/plain',
  seq: 7,
  captured_us: 5_123_456_789_012,
  width_px: 640,
  height_px: 400,
  passthrough: false,
}

/** A peer that takes bytes only when told to. */
class SlowPeer extends Writable {
  readonly reader = new FrameReader<Report>((message, bytes) => this.heard.push(`${message.type} ${bytes?.[0] ?? ''}`))
  readonly heard: string[] = []
  #taken: (() => void) | undefined

  constructor() {
    super({ highWaterMark: 100 })
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#taken = () => {
      this.reader.push(chunk)
      done()
    }
  }

  /** Takes everything that has been written, and what follows from that. */
  async readOn(): Promise<void> {
    while (this.#taken) {
      const taken = this.#taken
      this.#taken = undefined
      taken()
      await new Promise(setImmediate)
    }
  }
}

test('a reader that pauses gets the newest result and the newest picture of each kind afterwards', async () => {
  const peer = new SlowPeer()
  const outbox = new ReportOutbox(peer)
  const result = (n: number) => outbox.sendLatest('result', { type: 'result' }, new Uint8Array(200).fill(n))
  const picture = (n: number) =>
    outbox.sendLatest('a', { type: 'picture', picture: photo }, new Uint8Array(200).fill(n))

  for (let n = 1; n <= 50; n++) {
    result(n)
    picture(n)
  }
  const queuedBytes = peer.writableLength
  await peer.readOn()

  assert.deepEqual(peer.heard, ['result 1', 'picture 50', 'result 50'])
  assert.ok(queuedBytes < 1000, `${queuedBytes} bytes were queued`)
})

test('answers are not skipped when the peer is slow', async () => {
  const peer = new SlowPeer()
  const outbox = new ReportOutbox(peer)
  outbox.sendLatest('result', { type: 'result' }, new Uint8Array(504).fill(1))

  outbox.send({ type: 'answer', ask: 1 })
  outbox.send({ type: 'answer', ask: 2 })
  await peer.readOn()

  assert.deepEqual(peer.heard, ['result 1', 'answer ', 'answer '])
})
