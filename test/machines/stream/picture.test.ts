import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_PICTURE_KINDS, type Picture, PictureBoard } from '../../../machines/stream/picture.ts'

const want = { max_width_px: 640, quality: 70, overlay: false, fps: 10 }

test('viewers of the same kind share one at the fastest rate', () => {
  const board = new PictureBoard()

  const slow = board.watch(want)
  board.watch({ ...want, fps: 30 })

  assert.deepEqual(
    board.wanted().map(({ fps }) => fps),
    [30],
  )
  assert.equal(board.viewers, 2)
  assert.ok(slow)
})

test('a viewer who takes every frame outbids any rate', () => {
  const board = new PictureBoard()

  board.watch({ ...want, fps: 30 })
  board.watch({ ...want, fps: 0 })

  assert.deepEqual(
    board.wanted().map(({ fps }) => fps),
    [0],
  )
})

test('the last viewer to leave takes their kind along, and leaving twice changes nothing', () => {
  const board = new PictureBoard()
  const first = board.watch(want)
  const second = board.watch(want)

  first?.release()
  first?.release()
  assert.equal(board.viewers, 1)
  second?.release()

  assert.deepEqual(board.wanted(), [])
})

test('who watches an output has a kind of his own, onto which nothing more is drawn', () => {
  const board = new PictureBoard()
  board.watch(want)
  const drawn = board.watch({ ...want, output: 'drawn', overlay: true })
  const same = board.watch({ ...want, output: 'drawn' })

  assert.equal(drawn?.key, same?.key)
  assert.deepEqual(
    board.wanted().map(({ output, overlay }) => [output, overlay]),
    [
      ['', false],
      ['drawn', false],
    ],
  )
})

test('a picture reaches only the viewers of its kind', () => {
  const board = new PictureBoard()
  const small = board.watch(want)
  const large = board.watch({ ...want, max_width_px: 0 })
  const [kind] = board.wanted()

  board.deliver({ key: kind?.key, seq: 1 } as Picture)

  assert.equal(small?.pictures.value?.seq, 1)
  assert.equal(large?.pictures.value, undefined)
})

test('one kind more than the device can encode is refused', () => {
  const board = new PictureBoard()
  for (let n = 1; n <= MAX_PICTURE_KINDS; n++) assert.ok(board.watch({ ...want, max_width_px: n * 100 }))

  assert.equal(board.watch({ ...want, quality: 1 }), undefined)
  assert.ok(board.watch({ ...want, max_width_px: 100 }), 'a kind that is there already is shared')
})

test('who watches over the network has a kind of his own, which can be limited without the others', () => {
  const board = new PictureBoard()
  const [here, there] = [board.watch(want), board.watch({ ...want, isMetered: true })]
  let told = 0
  board.subscribe(() => told++)

  board.grant(new Map([[there?.key ?? '', { fps: 4, max_width_px: 320 }]]))
  board.grant(new Map([[there?.key ?? '', { fps: 4, max_width_px: 320 }]]))

  assert.deepEqual(
    board.wanted().map(({ key, fps, max_width_px }) => [key, fps, max_width_px]),
    [
      [here?.key, 10, 640],
      [there?.key, 4, 320],
    ],
  )
  assert.equal(told, 1)
  assert.deepEqual(
    board.metered().map(({ key, max_width_px, viewers }) => [key, max_width_px, viewers.map(({ fps }) => fps)]),
    [[there?.key, 640, [10]]],
  )
})

test('no grant makes a picture faster or larger than it was asked for', () => {
  const board = new PictureBoard()
  const watch = board.watch({ ...want, isMetered: true })

  board.grant(new Map([[watch?.key ?? '', { fps: Number.POSITIVE_INFINITY, max_width_px: 0 }]]))
  const [all] = board.wanted()
  board.grant(new Map([[watch?.key ?? '', { fps: 20, max_width_px: 0 }]]))
  const [some] = board.wanted()

  assert.deepEqual([all?.fps, all?.max_width_px, some?.fps], [10, 640, 10])
})

test('a limit holds for every viewer, beside what the network grants, and goes without a trace', () => {
  const board = new PictureBoard()
  const [metered] = [board.watch({ ...want, isMetered: true }), board.watch({ ...want, fps: 0, quality: 50 })]
  board.watch({ ...want, max_width_px: 0, quality: 0, fps: 0 })
  const shown = () => board.wanted().map(({ fps, max_width_px }) => [fps, max_width_px])
  const before = shown()
  let changes = 0
  board.subscribe(() => changes++)

  board.limit({ fps: 5, max_width_px: 320, sparesOwnJpegs: true })
  assert.deepEqual(shown(), [
    [5, 320],
    [5, 320],
    [5, 0],
  ])
  board.limit({ fps: 5, max_width_px: 320, sparesOwnJpegs: false })
  assert.deepEqual(shown()[2], [5, 320])
  board.grant(new Map([[metered?.key ?? '', { fps: 2, max_width_px: 400 }]]))
  assert.deepEqual(shown()[0], [2, 320])
  board.grant(new Map())
  board.limit({ fps: 100, max_width_px: 900, sparesOwnJpegs: true })
  assert.deepEqual(shown()[0], [10, 640])
  board.limit(undefined)

  assert.deepEqual(shown(), before)
  assert.equal(changes, 6)
})
