// A robot that aims by colour: it says which pipeline it wants, waits until it reads that, and trusts what it reads
// from then on.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { GraphDocument } from '../../machines/pipeline/graph.ts'
import type { Nt4Update } from '../../native/nt4/port.ts'
import { BLOCK_PX, blockJpeg, type Colour } from '../support/media/block-jpeg.ts'
import { gather, nt4Lab } from '../support/nt4/nt4.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const [columns, rows] = [80, 60]
const GREY: Colour = [110, 110, 110]
const green = { colour: [40, 210, 60] as Colour, at: [50, 10], size: [10, 6], hue: [90, 150] } as const
const red = { colour: [220, 30, 40] as Colour, at: [8, 40], size: [8, 8], hue: [330, 30] } as const
type Thing = typeof green | typeof red

const aimAt = ({ hue: [hue_min_deg, hue_max_deg] }: Thing): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'mask', type: 'hsv-threshold', params: { hue_min_deg, hue_max_deg } },
    { id: 'outlines', type: 'contours' },
    { id: 'target', type: 'target' },
  ],
  edges: [
    { from: 'source.colour', to: 'mask.image' },
    { from: 'mask.mask', to: 'outlines.mask' },
    { from: 'outlines.contours', to: 'target.contours' },
  ],
  outputs: [
    { port: 'targets', from: 'target.targets' },
    { port: 'outlines', from: 'outlines.contours' },
  ],
})

const intrinsics = {
  width_px: 640,
  height_px: 480,
  fx_px: 600,
  fy_px: 600,
  cx_px: 319.5,
  cy_px: 239.5,
  distortion: [],
}

/** Where it is: the middle in pixels, and the degrees to it. */
const placeOf = ({ at: [left, top], size: [width, height] }: Thing) => {
  const [x, y] = [(left + width / 2) * BLOCK_PX, (top + height / 2) * BLOCK_PX]
  const deg = (px: number) => (Math.atan(px / 600) * 180) / Math.PI
  return { x, y, tx: deg(x - 320), ty: deg(240 - y), share: (width * height) / (columns * rows) }
}

test('what it reads after it has read the number of a pipeline is of that pipeline', async (t) => {
  const place = site(t)
  const path = join(place.dataDir, 'things.jpg')
  const isIn = ({ at: [left, top], size: [width, height] }: Thing, column: number, row: number) =>
    column >= left && column < left + width && row >= top && row < top + height
  const paint = (column: number, row: number) => [green, red].find((each) => isIn(each, column, row))?.colour ?? GREY
  writeFileSync(path, blockJpeg(columns, rows, paint))
  const daemon = await place.start({ nt4: 'serve:127.0.0.1:0' })
  for (const [id, thing] of Object.entries({ green, red }))
    await daemon.send('POST', '/v1/pipelines/graphs', { id, ...aimAt(thing) })
  const slots = [
    { slot: 1, graph_id: 'green' },
    { slot: 4, graph_id: 'red' },
  ]
  await daemon.addStream({
    id: 'front',
    source: { backend: 'images', path, fps: 30 },
    intrinsics,
    slots,
    active_slot: 1,
  })
  const robot = await nt4Lab(t).connect(await until('the port of its NT4 server', () => daemon.nt4Port))
  const { updates } = gather(robot, ['/limelight/'], { prefix: true, all: true })
  const all = (key: string) => updates.filter(({ topic }) => topic.name === `/limelight/${key}`)
  const newest = (key: string) => all(key).at(-1)?.value
  const reads = (number: number) =>
    until(`pipeline ${number}`, () => newest('getpipe') === number && newest('tv') === 1)
  const isAt = (thing: Thing) => {
    const { tx, ty, share } = placeOf(thing)
    const [is, area] = [newest('tx'), newest('ta')].map(Number) as [number, number]
    assert.ok(Math.abs(is - tx) < 0.2 && Math.abs(Number(newest('ty')) - ty) < 0.2, `tx ${is}, not ${tx}`)
    assert.ok(Math.abs(area - 100 * share) < 0.2, `ta ${area}, not ${100 * share}`)
  }

  await reads(1)
  await until('a target', () => Number(newest('tx')) > 0)
  isAt(green)
  assert.deepEqual([newest('getpipetype'), newest('tid')], ['pipe_color', -1])
  const corners = newest('tcornxy') as readonly number[]
  assert.ok(Math.abs((corners[0] as number) - 400) < 3 && Math.abs((corners[1] as number) - 80) < 3, `${corners}`)
  const [x, y, area] = newest('rawtargets') as readonly number[]
  const at = placeOf(green)
  assert.ok(Math.abs((x as number) - (at.x / 320 - 1)) < 0.01 && Math.abs((y as number) - (1 - at.y / 240)) < 0.01)
  assert.ok(Math.abs((area as number) - at.share) < 0.002)
  const document = () => JSON.parse(String(newest('json') ?? '{}')) // written from when it is known that somebody reads
  const { Retro, Fiducial, pID } = await until('a document for who reads it', document, ({ v }) => v === 1)
  assert.deepEqual([Retro.length, Fiducial.length, pID], [1, 0, 1])
  assert.equal(Retro[0].tx.toFixed(3), Number(newest('tx')).toFixed(3))

  assert.equal((await daemon.send('POST', '/v1/streams/front/pipeline/graph', { slot: 4 })).status, 204)
  await reads(4)
  await until('a target of the other pipeline', () => Number(newest('tx')) < 0)
  isAt(red)
  const switched = all('getpipe').find(({ value }) => value === 4) as Nt4Update
  const since = await until(
    'its values in one array',
    () => all('t2d').filter(({ timestampUs }) => timestampUs >= switched.timestampUs),
    ({ length }) => length > 0,
  )
  const told = since.map(({ value, timestampUs }) => [
    timestampUs - switched.timestampUs,
    Number((value as readonly number[])[4]),
  ])
  assert.deepEqual(
    told.filter(([, tx]) => Number(tx) > 0),
    [],
    `us since it was switched, and tx: ${JSON.stringify(told)}`,
  )
})
