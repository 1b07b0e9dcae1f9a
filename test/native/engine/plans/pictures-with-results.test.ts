// Pictures that an engine gives with what was found in their very frame, where somebody wants that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { header } from '../../../../machines/engine/result.ts'
import { NO_LIVE_CONTROLS } from '../../../../machines/extcam/live.ts'
import type { Picture, PictureKind } from '../../../../machines/stream/picture.ts'
import { type EngineProbe, startEngine } from '../../../support/engine/engine-task.ts'

const plain: PictureKind = { key: 'plain', max_width_px: 160, quality: 50, overlay: false, fps: 0 }
const asking: PictureKind = { ...plain, key: 'asking', has_results: true }

const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 60 } as const

const pictureThat = async (probe: EngineProbe, isWanted: (picture: Picture) => boolean): Promise<Picture> => {
  for (;;) {
    const picture = await probe.nextPicture()
    if (isWanted(picture)) return picture
  }
}

test('a picture has the result of its frame where that is wanted, and none where it is not', async (t) => {
  const camera = await startEngine(t)
  await camera.open({ source })
  camera.engine.setPictureKinds([plain, asking])

  for (let n = 0; n < 30; n++) {
    const { result, seq, captured_us } = await pictureThat(camera, ({ key }) => key === 'asking')
    assert.ok(result)
    assert.deepEqual([header(result, 'seq'), header(result, 'captured_us')], [seq, captured_us])
    assert.deepEqual(
      result.layout.outputs.map(({ port }) => port),
      ['tags', 'tag_poses', 'pose', 'truth', 'visible'],
    )
  }
  const { result } = await pictureThat(camera, ({ key }) => key === 'plain')

  assert.equal(result, undefined)
})

test('a frame that a robot wants left out has a picture that says so', async (t) => {
  const camera = await startEngine(t)
  await camera.open({ source })
  camera.engine.setPictureKinds([asking])
  camera.engine.setLive({ ...NO_LIVE_CONTROLS, skip: 5 })

  const leftOut = await pictureThat(camera, ({ result }) => result === null)
  const found = await pictureThat(camera, ({ result }) => Boolean(result))

  assert.ok(leftOut.jpeg.length > 0)
  assert.equal(found.result && header(found.result, 'seq'), found.seq)
})
