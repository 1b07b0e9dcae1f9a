// Who watches a picture that the pipeline makes: it comes from the engine to his socket, and he stays whatever becomes
// of the pipeline and the engine.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MediaItem } from '../../machines/media/item.ts'
import type { GraphDocument } from '../../machines/pipeline/graph.ts'
import { isJpeg, pictures, type ShownPicture, viewer } from '../support/api/preview.ts'
import { planesOf } from '../support/media/seen-in.ts'
import { site } from '../support/processes/daemon.ts'
import { killTwoEngines } from '../support/processes/killed-engines.ts'
import { until } from '../support/until.ts'

test('a picture of the pipeline is watched while pipelines are switched and the engine is killed', async (t) => {
  const daemon = await site(t).start()
  const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 15 } as const
  await daemon.addStream({ id: 'front', source })
  const give = async (template: string) => {
    const { graph } = await daemon.get<{ graph: GraphDocument }>(`/v1/pipelines/templates/${template}`)
    const { status } = await daemon.send('POST', '/v1/streams/front/pipeline/graph', { graph })
    assert.equal(status, 204)
  }
  await give('apriltag-2d')
  const preview = `${daemon.url}/v1/streams/front/preview`
  const watching = [await viewer(t, `${preview}?output=overlay`), await viewer(t, `${preview}?output=overlay&fps=5`)]
  const camera = await viewer(t, preview)
  const isAt = (what: string, isSo: (shown: readonly ShownPicture[]) => boolean) =>
    until(what, () => watching.every(({ shown }) => isSo(shown)))
  const more = async (what: string) => {
    const before = new Map(watching.map(({ shown }) => [shown, pictures(shown).length]))
    await isAt(what, (shown) => pictures(shown).length >= (before.get(shown) ?? 0) + 3)
  }

  await t.test('it comes from the engine, in colour, encoded once for all who watch it', async () => {
    await more('pictures')
    const metrics = await until(
      'all with the engine',
      () => daemon.metrics('front'),
      ({ viewers_of_engine }) => viewers_of_engine === 3,
    )

    assert.deepEqual([metrics.picture_kinds, metrics.viewers], [2, 3])
    const [{ shown }] = watching as [(typeof watching)[0]]
    assert.ok(pictures(shown).every(({ jpeg }) => isJpeg(jpeg) && planesOf(jpeg) === 3))
  })

  await t.test('one picture of it can be had', async () => {
    const response = await fetch(`${daemon.url}/v1/streams/front/frame?output=overlay&max_width=160`)
    const jpeg = new Uint8Array(await response.arrayBuffer())

    assert.equal(response.headers.get('content-type'), 'image/jpeg')
    assert.match(response.headers.get('x-sequence') ?? '', /^\d+$/)
    assert.equal(planesOf(jpeg), 3)
  })

  await t.test('one picture of it can be kept', async () => {
    const kept = await daemon.send<MediaItem>('POST', '/v1/streams/front/snapshot', { output: 'overlay' })
    const response = await fetch(`${daemon.url}/v1/media/${kept.body.name}`)
    const none = await daemon.send<{ code: string }>('POST', '/v1/streams/front/snapshot', { output: 'tags' })

    assert.deepEqual([kept.status, kept.body.metadata.output], [201, 'overlay'])
    assert.equal(planesOf(new Uint8Array(await response.arrayBuffer())), 3)
    assert.deepEqual([none.status, none.body.code], [400, 'output.other_kind'])
  })

  await t.test('while the pipeline gives none they are told so, and see it again when it does', async () => {
    await give('driver')
    await isAt('the sentence', (shown) => shown.at(-1)?.isPlaceholder === true)
    const gone = await daemon.send<{ code: string }>('GET', '/v1/streams/front/frame?output=overlay')
    await give('apriltag-2d')
    await more('pictures')

    assert.deepEqual([gone.status, gone.body.code], [404, 'output.not_found'])
    assert.ok(
      camera.shown.every(({ isPlaceholder }) => !isPlaceholder),
      'the camera was there all the time',
    )
  })

  await t.test('an engine that is killed takes none of them along', async () => {
    const before = new Map(watching.map(({ shown }) => [shown, shown.length]))
    await killTwoEngines(daemon, 'front')
    await isAt('words', (shown) => shown.slice(before.get(shown)).some(({ isPlaceholder }) => isPlaceholder))
    await more('pictures')

    assert.ok([...watching, camera].every(({ isOpen }) => isOpen()))
  })
})
