// Pictures as the page takes and draws them.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { readPacket } from '../../ui/api/packet.ts'
import { axesOf } from '../../ui/drawing/overlay-axes.ts'
import { placingOf } from '../../ui/drawing/placing.ts'
import { Lateness } from '../../ui/pictures/lateness.ts'
import { Picture } from '../../ui/pictures/picture.ts'
import { Rate } from '../../ui/pictures/rate.ts'

/** A message as the service sends it. */
const messageOf = (flags: number, jpeg: readonly number[], results?: object): ArrayBuffer => {
  const text = results ? Buffer.from(JSON.stringify(results)) : undefined
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text?.length ?? 0)
  const rest = Buffer.concat([...(text ? [length, text] : []), Buffer.from(jpeg)])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(9 + rest.length)
  head.writeBigUInt64BE(1_767_225_600_000_500n, 4)
  head.writeUInt8(flags, 12)
  return new Uint8Array(Buffer.concat([head, rest])).buffer
}

test('a message is read as its picture, its time and what was found in it', () => {
  const found = { seq: 7, width_px: 1280, height_px: 800, outputs: { tags: { kind: 'detections', rows: [] } } }

  const packet = readPacket(messageOf(1 | 8, [0xff, 0xd8, 0xff], found))

  assert.equal(packet.takenAtMs, 1_767_225_600_000.5)
  assert.equal(packet.isPlaceholder, false)
  assert.deepEqual(packet.results, found)
  assert.deepEqual([...packet.jpeg], [0xff, 0xd8, 0xff])
})

test('a message of a device that sends no results is a picture all the same', () => {
  const packet = readPacket(messageOf(1, [0xff, 0xd8]))

  assert.equal(packet.results, undefined)
  assert.deepEqual([...packet.jpeg], [0xff, 0xd8])
})

test('a message that says why no picture comes is known as that', () => {
  const packet = readPacket(messageOf(4 | 8, [0xff], { outputs: {} }))

  assert.equal(packet.isPlaceholder, true)
  assert.deepEqual(packet.results, { outputs: {} })
})

test('a picture lies in the middle of its box, whole or filling it', () => {
  const picture = { width: 200, height: 100 }
  const box = { width: 100, height: 100 }

  assert.deepEqual(placingOf(picture, box), { left: 0, top: 25, width: 100, height: 50, scale: 0.5 })
  assert.deepEqual(placingOf(picture, box, 'cover'), { left: -50, top: 0, width: 200, height: 100, scale: 1 })
})

test('the rate is that of the last two seconds', () => {
  const rate = new Rate()
  for (let ms = 0; ms <= 4000; ms += 100) rate.count(ms)

  assert.equal(rate.at(4000), 10)
  assert.equal(rate.at(7000), 0)
})

/** Where a lens of 500 px sees a place of a tag, whose size is not what the page takes it for. */
const project = (half: number, tag: { x: number; y: number; z: number; turned: number }) => {
  const [cos, sin] = [Math.cos(tag.turned), Math.sin(tag.turned)]
  return (right: number, down: number, into: number) => {
    const [x, y, z] = [half * right, half * down, half * into]
    const depth = tag.z - sin * x + cos * z // turned about its y axis
    return {
      x_px: 320 + (500 * (tag.x + cos * x + sin * z)) / depth,
      y_px: 240 + (500 * (tag.y + y)) / depth,
    }
  }
}

test('the axes of a tag end where its lens sees their ends, though the page knows no lens', () => {
  const tag = { x: 0.4, y: -0.2, z: 2, turned: 0.5 }
  const place = project(0.08255, tag)
  const corners = [place(-1, 1, 0), place(1, 1, 0), place(1, -1, 0), place(-1, -1, 0)]
  const camera_tag = {
    x_m: tag.x,
    y_m: tag.y,
    z_m: tag.z,
    qw: Math.cos(tag.turned / 2),
    qx: 0,
    qy: Math.sin(tag.turned / 2),
    qz: 0,
  }
  const named = { family: 'tag36h11', id: 3 } as const

  const [axes] = axesOf({
    tags: { kind: 'detections', rows: [{ ...named, hamming: 0, margin: 60, center: place(0, 0, 0), corners }] },
    poses: { kind: 'tag_poses', rows: [{ ...named, ambiguity: 0, error_px: 0.1, camera_tag }] },
  })

  assert.ok(axes)
  const ends = [
    [axes.x, place(1, 0, 0)],
    [axes.y, place(0, 1, 0)],
    [axes.z, place(0, 0, -1)],
  ] as const
  for (const [drawn, real] of ends) {
    assert.ok(Math.abs(drawn.x_px - real.x_px) < 0.01, `${drawn.x_px} is not ${real.x_px}`)
    assert.ok(Math.abs(drawn.y_px - real.y_px) < 0.01, `${drawn.y_px} is not ${real.y_px}`)
  }
})

test('a picture is late by what it took longer than the quickest one, whatever the clocks say', () => {
  const lateness = new Lateness()
  const ahead = 5_000_000 // the clock of the device

  assert.equal(lateness.take(ahead, 40), 0)
  assert.equal(lateness.take(ahead + 100, 120), 0) // quicker: now that is the measure
  assert.equal(Math.round(lateness.take(ahead + 200, 220)), 0)
  assert.equal(Math.round(lateness.take(ahead + 300, 3320)), 2998) // stood still for three seconds, less the drift
})

test('a clock that is set makes no picture late', () => {
  const lateness = new Lateness()
  lateness.take(1_000_000, 0)

  assert.equal(lateness.take(1_000_000 - 3_600_000, 100), 0) // back by an hour
  assert.equal(lateness.take(1_000_000 + 7_200_000, 200), 0) // forward
  assert.equal(Math.round(lateness.take(1_000_000 + 7_200_100, 2300)), 1999)
})

test('two clocks that drift apart make no picture late', () => {
  const lateness = new Lateness()
  let latest = 0
  for (let second = 0; second < 86_400; second += 1) latest = lateness.take(second * 1000 * (1 - 50e-6), second * 1000)

  assert.ok(latest < 1, `${latest} ms late after a day`)
})

/** A browser in which each socket can be refused, as those of a stream that is not there. */
const refusing = (t: TestContext) => {
  const asked: string[] = []
  const sockets: Refused[] = []
  class Refused {
    onclose: (() => void) | undefined
    constructor(url: string) {
      asked.push(new URL(url).pathname)
      sockets.push(this)
    }
    close() {}
  }
  const why = async (path: string) => {
    asked.push(path)
    return Response.json({ detail: 'why' }, { status: 404 })
  }
  const inBrowser = { WebSocket: Refused, location: { origin: 'http://127.0.0.1' }, fetch: why }
  for (const [name, value] of Object.entries(inBrowser)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value })
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : Reflect.deleteProperty(globalThis, name)))
  }
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  return { asked, refuse: () => sockets.at(-1)?.onclose?.() }
}

test('why pictures are refused is asked when they are refused again, by when the page knows of a deletion', (t) => {
  const { asked, refuse } = refusing(t)
  const surface = { fillRect: () => {} }
  const canvas = { width: 1, height: 1, getContext: () => surface } as unknown as OffscreenCanvas
  const look = { overlay: {}, fit: 'contain', widthPx: 1, heightPx: 1, ratio: 1 } as const
  const picture = new Picture(1, canvas, look, () => {})
  t.after(() => picture.close())

  picture.setSource({ path: '/frames', whyPath: '/preview', oldAfterMs: 2000, factsEveryMs: 250, keep: 0 })
  picture.setSeen(true)
  refuse()
  assert.deepEqual(asked, ['/frames'])
  t.mock.timers.tick(250)
  refuse()

  assert.deepEqual(asked, ['/frames', '/frames', '/preview'])
})
