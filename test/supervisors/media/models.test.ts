// The models of a device, as the planner asks for them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Listeners } from '../../../machines/listeners.ts'
import { modelExample } from '../../../machines/models/model.ts'
import type { MediaNews } from '../../../native/media/port.ts'
import { modelsIn } from '../../../supervisors/media/models.ts'

test('the models of a device are read once, and followed from then on', async () => {
  let read = 0
  const news = new Listeners<MediaNews>()
  const item = (name: string) => ({ name, kind: 'model', state: 'ready', model: modelExample }) as never
  const page = async () => {
    read += 1
    return read === 1
      ? { items: [item('first.onnx'), item('notes.onnx')], next: { value: 2, position: 2 } }
      : { items: [item('last.onnx')], next: null }
  }
  const models = modelsIn({ news, page })

  assert.equal(await models.read(), undefined)
  const first = models.all()
  news.notify({ name: 'video.mkv', item: { kind: 'recording' } as never })
  assert.equal(models.all(), first)
  assert.equal(models.find('notes.onnx')?.name, 'notes.onnx')
  news.notify({ name: 'new.onnx', item: item('new.onnx') })
  news.notify({ name: 'first.onnx', item: null })

  assert.deepEqual(
    models.all().map(({ name }) => name),
    ['new.onnx', 'last.onnx', 'notes.onnx'],
  )
  assert.equal(models.find('first.onnx'), undefined)
  assert.equal(read, 2)
})
