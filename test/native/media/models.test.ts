// Learned models as media: checked before they are stored, with the names of their classes beside them.
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { isFault } from '../../../machines/errors/fault.ts'
import { modelExample } from '../../../machines/models/model.ts'
import type { ModelChecker } from '../../../native/models/checker.ts'
import { tinyYolov8 } from '../../support/engine/tiny-models.ts'
import { good, openStore } from '../../support/media/media-store.ts'
import { folderOf } from '../../support/processes/folder.ts'

/** Says of every file that it is the same model; keeps which it was asked about. */
const checkerOf = (asked: Buffer[] = []): ModelChecker => {
  return async (path) => {
    asked.push(readFileSync(path))
    return modelExample
  }
}

const upload = (bytes: Uint8Array, name = 'Notes v2.onnx') => ({ name, body: Readable.from([bytes]) })

const names = (text: string) => ({ body: Readable.from([Buffer.from(text)]) })

test('a model is checked where it lies, stored with what is known of it, and listed by its kind', async (t) => {
  const asked: Buffer[] = []
  const { store } = await openStore(t, folderOf(t), { checker: checkerOf(asked) })

  const item = good(await store.receive(upload(tinyYolov8())))

  assert.deepEqual(asked, [tinyYolov8()])
  assert.equal(item.name, 'notes-v2.onnx')
  assert.deepEqual(
    { kind: item.kind, media_type: item.media_type, model: item.model, width_px: item.width_px },
    { kind: 'model', media_type: 'application/onnx', model: modelExample, width_px: null },
  )
  const page = good(await store.page({ order: '-created', limit: 10, kind: 'model' }))
  assert.deepEqual(page.items, [item])
})

test('a model that is refused leaves nothing behind', async (t) => {
  const fault = { code: 'media.invalid', detail: 'this cannot be stored: the model takes 1x77' } as const
  const { store } = await openStore(t, folderOf(t), { checker: async () => fault })

  assert.deepEqual(await store.receive(upload(tinyYolov8())), fault)
  assert.deepEqual(good(await store.page({ order: 'name', limit: 10 })).items, [])
})

test('more than a model may have is refused before it is here', async (t) => {
  const { store } = await openStore(t, folderOf(t), { checker: checkerOf() })

  const announced = await store.receive({ ...upload(tinyYolov8()), length: 256 * 1024 * 1024 + 1 })

  assert.equal(isFault(announced) && announced.code, 'body.too_large')
})

test('beside a model lie the names of its classes, one on each line', async (t) => {
  const { store } = await openStore(t, folderOf(t), { checker: checkerOf() })
  const { name } = good(await store.receive(upload(tinyYolov8())))

  good(await store.attach(name, 'label', names('note\nrobot\n')))

  assert.equal(good(await store.get(name)).side_cars.label?.size_bytes, 11)
  for (const [text, why] of [
    ['', /there is no name in it/],
    ['note\n\nrobot\n', /line 2 is empty/],
    [`note\n${'x'.repeat(65)}`, /line 2 has more than 64 characters/],
    ['a\n'.repeat(1001), /more than 1000 lines/],
  ] as const) {
    const refused = await store.attach(name, 'label', names(text))
    assert.match(isFault(refused) ? refused.detail : '', why)
  }
  assert.equal(good(await store.get(name)).side_cars.label?.size_bytes, 11, 'the one before is still there')
})

test('a model that somebody put into the folder is checked at the next start, and listed', async (t) => {
  const dataDir = folderOf(t)
  const first = await openStore(t, dataDir, { checker: checkerOf() })
  await first.close()
  writeFileSync(join(dataDir, 'media', 'found.onnx'), tinyYolov8())
  copyFileSync(join(dataDir, 'media', 'found.onnx'), join(dataDir, 'media', 'picture.jpg'))

  const { store, mended } = await openStore(t, dataDir, { checker: checkerOf() })

  assert.deepEqual(good(await store.get('found.onnx')).model, modelExample)
  assert.match(mended.find(({ code }) => code === 'media.stray')?.detail ?? '', /application\/onnx/)
})

test('what is no model is not taken for one by its name', async (t) => {
  const { store } = await openStore(t, folderOf(t), { checker: checkerOf() })

  for (const bytes of [Buffer.alloc(0), Buffer.from('not a model'), Buffer.from([0x08])]) {
    const refused = await store.receive(upload(bytes))
    assert.equal(isFault(refused) && refused.code, 'media.invalid')
  }
})
