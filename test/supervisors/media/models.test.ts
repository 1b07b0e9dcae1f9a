// The models of a device, as the planner asks for them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Listeners } from '../../../machines/listeners.ts'
import { modelExample } from '../../../machines/models/model.ts'
import type { MediaNews } from '../../../native/media/port.ts'
import { modelsIn } from '../../../supervisors/media/models.ts'

test('the models of a device are read once, and again when one has come, changed or gone', () => {
  let read = 0
  const names = ['notes.onnx']
  const news = new Listeners<MediaNews>()
  const item = (name: string) => ({ name, kind: 'model', state: 'ready', model: modelExample }) as never
  const page = () => {
    read += 1
    return { items: names.map(item), next: null }
  }
  const models = modelsIn({ news, get: item, page })

  const first = models.all()
  news.notify({ name: 'video.mkv', item: { kind: 'recording' } as never })
  assert.equal(models.all(), first)
  assert.equal(models.find('notes.onnx')?.name, 'notes.onnx')
  assert.equal(read, 1)
  names.unshift('new.onnx')
  news.notify({ name: 'new.onnx', item: item('new.onnx') })

  assert.deepEqual(
    models.all().map(({ name }) => name),
    ['new.onnx', 'notes.onnx'],
  )
  assert.equal(read, 2)
})
