// Models looked at by a child: what they are, and that whatever a file is, this process only hears of it.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isFault } from '../../../machines/errors/fault.ts'
import { modelChecker } from '../../../native/models/checker.ts'
import { onnxHead } from '../../../native/models/onnx-head.ts'
import { unavailableNodes } from '../../../native/models/unavailable.ts'
import type { Constant } from '../../support/engine/onnx.ts'
import { tinyClassifier, tinyYolov8 } from '../../support/engine/tiny-models.ts'

const folder = mkdtempSync(join(tmpdir(), 'vedette-models-'))
after(() => rmSync(folder, { recursive: true }))

const check = async (bytes: Uint8Array, checker = modelChecker()) => {
  const path = join(folder, 'some.onnx')
  writeFileSync(path, bytes)
  return await checker(path)
}

const refusal = async (bytes: Uint8Array, checker = modelChecker()): Promise<string> => {
  const found = await check(bytes, checker)
  assert.ok(isFault(found), JSON.stringify(found))
  assert.equal(found.code, 'media.invalid')
  assert.match(found.detail, /^this cannot be stored: the model /)
  assert.ok(!found.detail.includes(folder), found.detail)
  return found.detail
}

test('a model says what it takes and gives, who wrote it and what it knows', async () => {
  const found = await check(tinyYolov8())

  assert.ok(!isFault(found), JSON.stringify(found))
  const { run_ms, ...rest } = found
  assert.ok(run_ms !== null && run_ms > 0)
  assert.deepEqual(rest, {
    format: 'onnx',
    opset: 13,
    producer: 'tests',
    classes: ['red', 'green', 'blue'],
    inputs: [{ name: 'images', element: 'float32', shape: [1, 3, 64, 64] }],
    outputs: [{ name: 'output0', element: 'float32', shape: [1, 7, 64] }],
  })
})

test('the runtime writes nothing down about who uses it', async (t) => {
  const before = process.env.TMPDIR
  const own = mkdtempSync(join(folder, 'own-'))
  process.env.TMPDIR = own
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })

  assert.ok(!isFault(await check(tinyYolov8())))

  assert.deepEqual(readdirSync(own), [])
})

test('files that are no models, or not whole, are refused', async () => {
  const whole = tinyYolov8()

  assert.match(await refusal(Buffer.alloc(0)), /cannot be loaded/)
  assert.match(await refusal(Buffer.from('hello')), /is not whole, or no ONNX model/)
  assert.match(await refusal(whole.subarray(0, 900)), /is not whole, or no ONNX model|cannot be loaded/)
})

test('models whose shapes are lies are refused, or found out', async () => {
  const numbers = new Float32Array(4)
  const constants = (boxes: Constant) => ({ constants: { flat: FLAT, boxes } })
  const outputs = [{ name: 'output0', dims: [1, 9, 64] }]

  const open = await check(tinyYolov8({ outputs }))
  assert.deepEqual(!isFault(open) && open.outputs[0]?.shape, [1, null, 64], 'what it says against itself is open')
  assert.match(await refusal(tinyYolov8(constants({ dims: [1, 4, 64], numbers }))), /cannot be loaded/)
  assert.match(await refusal(tinyYolov8(constants({ dims: [1_000_000, 1_000_000], numbers }))), /cannot be loaded/)
  assert.match(
    await refusal(tinyYolov8({ inputs: [{ name: 'images', dims: [1, 3, 60, 60] }] })),
    /cannot be (loaded|run on a picture of 60x60)/,
  )
})

const FLAT: Constant = { dims: [3], numbers: BigInt64Array.of(1n, 3n, 64n) }

test('a model that takes more memory than it may, or more time, ends with its child', async () => {
  const side = 40_000
  const large = tinyClassifier({
    operations: [
      { op: 'Expand', inputs: ['one', 'large'], outputs: ['ones'] },
      { op: 'ReduceSum', inputs: ['ones'], outputs: ['sum'], attributes: { keepdims: 0 } },
      { op: 'GlobalAveragePool', inputs: ['images'], outputs: ['mean'] },
      { op: 'Reshape', inputs: ['mean', 'row'], outputs: ['flat'] },
      { op: 'Add', inputs: ['flat', 'sum'], outputs: ['shares'] },
    ],
    constants: {
      one: { dims: [1, 1], numbers: Float32Array.of(1) },
      large: { dims: [2], numbers: BigInt64Array.of(BigInt(side), BigInt(side)) },
      row: { dims: [2], numbers: BigInt64Array.of(1n, 3n) },
    },
  })

  assert.match(await refusal(large), /memory|alloc|breaks the runtime/i)
  assert.match(await refusal(tinyYolov8(), modelChecker({ limitMs: 1 })), /was not loaded and run twice within 0.001 s/)
})

test('a model reads no file outside of its folder', async () => {
  const numbers = Float32Array.of(1, 2, 3)
  writeFileSync(join(folder, 'weights.bin'), Buffer.from(numbers.buffer))
  const inside = mkdtempSync(join(folder, 'inside-'))
  symlinkSync(join(folder, 'weights.bin'), join(inside, 'link.bin'))
  for (const file of ['../weights.bin', 'link.bin']) {
    const path = join(inside, 'some.onnx')
    writeFileSync(path, tinyClassifier(biased({ dims: [1, 3], numbers, file })))

    const found = await modelChecker()(path)

    assert.ok(isFault(found), file)
    assert.match(found.detail, /cannot be loaded: a part of it is in another file, and models are one file here$/)
  }
})

const biased = (bias: Constant) => ({
  operations: [
    { op: 'GlobalAveragePool', inputs: ['images'], outputs: ['mean'] },
    { op: 'Reshape', inputs: ['mean', 'row'], outputs: ['flat'] },
    { op: 'Add', inputs: ['flat', 'bias'], outputs: ['shares'] },
  ],
  constants: { row: { dims: [2], numbers: BigInt64Array.of(1n, 3n) }, bias },
})

test('what a model says of itself has bounds: names that never end, and names of tensors', async () => {
  const endless = onnxHead(tinyYolov8({ metadata: { names: "0:'".repeat(66_000) } }))
  const usual = onnxHead(tinyYolov8({ metadata: { names: `{0: 'a', 1 : "driver's station", 3:'b, 4: c' }` } }))
  const name = 'x'.repeat(201)
  const long = tinyClassifier({
    inputs: [{ name, dims: [1, 3, 64, 64] }],
    outputs: [{ name: 'mean', dims: [1, 3, 64, 64] }],
    operations: [{ op: 'Relu', inputs: [name], outputs: ['mean'] }],
    constants: {},
  })

  assert.deepEqual(endless.classes, [])
  assert.deepEqual(usual.classes, ['a', "driver's station", '2', 'b, 4: c'])
  assert.match(await refusal(long), /takes something whose name has 201 characters; at most 200/)
})

test('models that come while others are checked wait, but not any number of them', async () => {
  const checker = modelChecker({ limitMs: 1 })
  const path = join(folder, 'some.onnx')

  const found = await Promise.all(Array.from({ length: 6 }, () => checker(path)))

  const [now, later] = [found.slice(0, 4), found.slice(4)].map((all) => all.map((each) => isFault(each) && each.code))
  assert.deepEqual(now, Array(4).fill('media.invalid'))
  assert.deepEqual(later, Array(2).fill('device.failed'))
  const again = await checker(path)
  assert.equal(isFault(again) && again.code, 'media.invalid')
})

test('models of other purposes are refused with what they take', async () => {
  const half = tinyClassifier({ inputs: [{ name: 'images', element: 'uint8', dims: [1, 3, 64, 64] }] })
  const text = tinyClassifier({
    inputs: [{ name: 'images', dims: [1, 77] }],
    outputs: [{ name: 'mean', dims: [1, 77] }],
    operations: [{ op: 'Relu', inputs: ['images'], outputs: ['mean'] }],
    constants: {},
  })

  assert.match(await refusal(text), /takes 1x77, which is no picture/)
  assert.match(await refusal(half), /cannot be loaded/)
  assert.match(await refusal(tinyYolov8({ opset: 9999 })), /cannot be loaded.*opset/i)
})

test('without the runtime the nodes that need it are not available, and say why', () => {
  const missing = unavailableNodes(() => 'ONNX Runtime is not installed')()

  assert.deepEqual(
    [...missing],
    [
      ['object-detector', 'ONNX Runtime is not installed'],
      ['classifier', 'ONNX Runtime is not installed'],
    ],
  )
  assert.equal(unavailableNodes()().size, 0)
})
