// What is told from the shapes of a model: how it is fed, and how its answers are read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DetectorHead, headOf } from '../../../machines/models/head.ts'
import { inputOf } from '../../../machines/models/input.ts'
import { factsOf, fitModel, isUnfit, type ModelShapes } from '../../../machines/models/model-fit.ts'

type Shape = readonly (number | null)[]

const tensor = (name: string, shape: Shape, element = 'float32') => ({ name, element, shape: [...shape] })

const detector = (output: Shape, input: Shape = [1, 3, 640, 640]): ModelShapes => ({
  inputs: [tensor('images', input)],
  outputs: [tensor('output0', output)],
})

const headNamed = (outputs: ModelShapes['outputs'], wanted: 'auto' | DetectorHead = 'auto'): string => {
  const found = headOf({ outputs }, wanted)
  return typeof found === 'string' ? found : found.head
}

test('heads are told by the shapes of what they give', () => {
  const one = (shape: Shape) => headNamed([tensor('output0', shape)])

  assert.equal(one([1, 84, 8400]), 'yolov8')
  assert.equal(one([1, 5, 21]), 'yolov8')
  assert.equal(one([1, 84, null]), 'yolov8')
  assert.equal(one([1, 25_200, 85]), 'yolov5')
  assert.equal(one([1, null, 85]), 'yolov5')
  assert.equal(one([1, 300, 6]), 'corners')
  assert.equal(one([1, null, 6]), 'corners')
  assert.match(one([1, 1000]), /gives 1x1000, which is no detector that is known here/)
  assert.match(one([1, 3, 80, 80, 85]), /no detector/)
  assert.match(one([null, null, null]), /gives \?x\?x\?/)
})

test('the tensors of an SSD are told by their names, else by their order', () => {
  const named = headOf(
    {
      outputs: [
        tensor('num_detections', [1]),
        tensor('detection_boxes', [1, 10, 4]),
        tensor('detection_scores', [1, 10]),
        tensor('detection_classes', [1, 10]),
      ],
    },
    'auto',
  )
  const unnamed = headOf(
    { outputs: [tensor('a', [1, null, 4]), tensor('b', [1, null]), tensor('c', [1, null])] },
    'ssd',
  )

  assert.deepEqual(named, { head: 'ssd', outputs: { boxes: 1, labels: 3, scores: 2, count: 0 } })
  assert.deepEqual(unnamed, { head: 'ssd', outputs: { boxes: 0, labels: 1, scores: 2, count: -1 } })
  assert.match(headNamed([tensor('output0', [1, 84, 8400])], 'ssd'), /a head of ssd gives boxes/)
})

test('a head that somebody names has to be possible', () => {
  const of = (shape: Shape, head: DetectorHead) => headNamed([tensor('output0', shape)], head)

  assert.equal(of([1, 300, 6], 'yolov5'), 'yolov5')
  assert.equal(of([null, null, null], 'yolov8'), 'yolov8')
  assert.equal(of([1, 84, 8400], 'corners'), 'gives 1x84x8400, and a head of corners gives 1 x boxes x 6')
  assert.match(of([1, 4, 8400], 'yolov8'), /gives 1x4x8400/)
  assert.match(of([1, 10, 10, 6], 'yolov5'), /gives 1x10x10x6/)
})

test('pictures are fed in planes or pixels, grey or colour, at the size of the model or the chosen one', () => {
  const input = (shape: Shape, element = 'float32') => inputOf({ inputs: [tensor('images', shape, element)] }, 320)
  const size = { name: 'images', width_px: 640, height_px: 480 }

  assert.deepEqual(input([1, 3, 480, 640]), { ...size, channels: 3, isPlanar: true, element: 'float32' })
  assert.deepEqual(input([1, 480, 640, 3], 'uint8'), { ...size, channels: 3, isPlanar: false, element: 'uint8' })
  assert.deepEqual(input([null, 1, null, null]), {
    name: 'images',
    width_px: 320,
    height_px: 320,
    channels: 1,
    isPlanar: true,
    element: 'float32',
  })
})

test('models that take no picture are refused with a sentence', () => {
  const said = (inputs: ModelShapes['inputs']) => inputOf({ inputs }, 640)

  assert.match(String(said([])), /takes nothing/)
  assert.match(String(said([tensor('a', [1, 3, 8, 8]), tensor('b', [1])])), /takes 2 things \("a", "b"\)/)
  assert.match(String(said([tensor('a', [1, 3, 8, 8], 'float16')])), /takes numbers of float16.*export it/)
  assert.match(String(said([tensor('a', [1, 77])])), /takes 1x77, which is no picture/)
  assert.match(String(said([tensor('a', [2, 3, 64, 64])])), /takes 2x3x64x64, which is no picture/)
  assert.match(
    String(said([tensor('a', [1, 3, 4096, 64])])),
    /pictures of 64x4096 pixels; each side may have 8 to 2048/,
  )
  assert.match(String(said([tensor('a', [1, 3, 0, 64])])), /64x0 pixels/)
})

test('the facts of a model say what to change where it does not do', () => {
  const params = { input_px: 640, head: 'auto' }
  const found = fitModel('object-detector', detector([1, 6, 8400]), params)
  const another = fitModel('object-detector', detector([1, 6, 8400]), { ...params, head: 'corners' })
  const classes = fitModel('classifier', detector([1, 1000]), { input_px: 224 })
  const none = fitModel('classifier', detector([1, 6, 8400]), { input_px: 224 })

  assert.deepEqual(isUnfit(found) || factsOf(found), [640, 640, 3, 1, 0, 1, -1, -1, -1, -1])
  assert.equal(isUnfit(another) && another.param, 'head')
  assert.equal(isUnfit(classes), false)
  assert.match(isUnfit(none) ? none.why : '', /gives 1x6x8400, and a classifier gives a number for each class/)
})
