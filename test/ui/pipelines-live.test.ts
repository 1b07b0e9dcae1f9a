// Parameters that are dragged act on the live picture: measured with the real engine, from the movement in the browser
// until the frame with its result has come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { type Packet, readPacket } from '../../ui/api/packet.ts'
import { openPage } from '../support/api/browser.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const STEPS = 8

const graph = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'light', type: 'exposure-stats' },
  ],
  edges: [{ from: 'source.image', to: 'light.image' }],
  outputs: [{ port: 'light', from: 'light.exposure' }],
}

const now = (): number => performance.timeOrigin + performance.now()

/** The share of pixels that a frame counts as dark. */
const darkOf = ({ results }: Packet): number | undefined => {
  const light = results?.outputs.light
  return light?.kind === 'exposure' ? light.rows[0]?.dark_share : undefined
}

test('a parameter that is dragged is in the results of the next frames, and one step when it is let go', async (t) => {
  const daemon = await site(t).start()
  const source = { backend: 'synthetic', width_px: 640, height_px: 400, fps: 30 } as const
  await daemon.addStream({ id: 'front', alias: 'Front', source, pipeline: graph })
  let wanted = (_: number): boolean => false
  let came = Promise.withResolvers<number>()
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}/v1/streams/front/frames?results=true&max_width=160`)
  t.after(() => socket.terminate())
  socket.on('message', (data: Buffer) => {
    const dark = darkOf(readPacket(new Uint8Array(data).buffer))
    if (dark !== undefined && wanted(dark)) came.resolve(now())
  })
  /** Does what makes all of the picture dark, or none; returns how long the frames with that took to come. */
  const measure = async (set: (isAll: boolean) => Promise<() => Promise<number> | number>): Promise<number[]> => {
    const latencies: number[] = []
    for (let step = 0; step < STEPS; step += 1) {
      const isAll = step % 2 === 0
      came = Promise.withResolvers<number>()
      wanted = isAll ? (dark) => dark === 1 : (dark) => dark < 0.5
      const beganAt = await set(isAll)
      latencies.push((await came.promise) - (await beganAt()))
    }
    return latencies.toSorted((a, b) => a - b)
  }
  const told = (latencies: readonly number[]) =>
    [0.5, 0.95].map((share) => `${latencies[Math.floor(share * (STEPS - 1))]?.toFixed(0)} ms`).join(', p95 ')

  const bare = await measure(async (isAll) => {
    const began = now()
    const [first, light] = graph.nodes
    const nodes = [first, { ...light, params: { dark_level: isAll ? 255 : 0 } }]
    await daemon.send('POST', '/v1/streams/front/pipeline/graph', { graph: { ...graph, nodes } })
    return () => began
  })
  const { page } = await openPage(t, daemon.url, { path: '/pipelines/of/front?node=light' })
  await page.getByRole('button', { name: 'Run each change' }).click()
  await page.getByText('Front runs each change at once').waitFor()
  const slider = page.getByRole('slider', { name: 'Dark level, slider' })
  await slider.evaluate((element) => {
    const moved: number[] = []
    Object.assign(globalThis, { moved })
    element.addEventListener('input', () => moved.push(performance.timeOrigin + performance.now()))
  })
  const movedAt = () => page.evaluate(() => (globalThis as unknown as { moved: number[] }).moved.at(-1) ?? 0)

  await slider.focus()
  const dragged = await measure(async (isAll) => {
    await page.keyboard.press(isAll ? 'End' : 'Home')
    return movedAt
  })
  t.diagnostic(`from the movement until its frame: median ${told(dragged)}; from a bare request: ${told(bare)}`)
  assert.equal(dragged.length, STEPS)

  const box = await slider.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + 5, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 5, box.y + box.height / 2, { steps: 15 })
  await page.mouse.up()
  const level = page.getByRole('textbox', { name: /^Dark level/ })
  await until(
    'a high level',
    () => level.inputValue(),
    (value) => Number(value) > 200,
  )
  await page.getByRole('button', { name: 'Undo' }).click()

  await until(
    'the level of before',
    () => level.inputValue(),
    (value) => value === '0',
  )
  await until(
    'the level of before in the stream',
    () => daemon.get<{ spec: { pipeline: { nodes: { params: { dark_level?: number } }[] } } }>('/v1/streams/front'),
    ({ spec }) => spec.pipeline.nodes[1]?.params.dark_level === 0,
  )
})
