// The program that guides a capture, as a process: what it sees of a board, and how it ends.
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { bitmapPng } from '../../../api/calibration/bitmap-png.ts'
import { type Board, boardOf } from '../../../machines/calibration/board/board.ts'
import { drawBoard } from '../../../machines/calibration/board/drawing.ts'
import { rasterBoard } from '../../../machines/calibration/board/raster.ts'
import type { GuideAnswer, GuideLook } from '../../../machines/calibration/capture/look.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { linuxCalibration } from '../../../native/calibration/linux.ts'
import type { CaptureGuide } from '../../../native/calibration/port.ts'
import { folderOf } from '../../support/processes/folder.ts'

const SQUARE = { width_mm: 24, height_mm: 24 }

const picture = () => bitmapPng(rasterBoard(drawBoard(boardOf({}) as Board)))

/** What a guide says, started for that. */
const guided = <Value>(
  use: (guide: CaptureGuide) => Effect.Effect<Value, Fault>,
  program?: string,
  limitMs?: number,
) => {
  const port = linuxCalibration({
    ...(program !== undefined && { programs: { guide: program } }),
    ...(limitMs !== undefined && { limitMs }),
  })
  return Effect.runPromise(Effect.scoped(Effect.flatMap(port.guide(SQUARE), use)))
}

const lookIn = (answer: GuideAnswer): GuideLook => {
  assert.ok('corners' in answer, JSON.stringify(answer))
  return answer
}

test('it finds the printed board, its corners and outline, and proposes a view of it', async () => {
  const png = await picture()

  const [seen, taken] = await guided((guide) =>
    Effect.gen(function* () {
      const look = yield* guide.look(png)
      return [look, yield* guide.take(lookIn(look), lookIn(look).corners)] as const
    }),
  )

  const look = lookIn(seen)
  assert.deepEqual([look.corners.length, look.markers, look.outline?.length], [60, 38, 4])
  assert.ok(look.edge_px > 0 && look.edge_px < 2, `${look.edge_px}`)
  const { board, proposed, pictures } = seen.known ?? assert.fail('nothing is known')
  assert.deepEqual([board.family, board.columns, board.rows, pictures], ['aruco_4x4', 11, 7, 0])
  assert.equal(proposed.nearer, 'left')
  assert.ok(proposed.lowers > 0.1)
  assert.equal(taken.known?.pictures, 1)
  assert.ok((taken.known?.mean_px ?? Number.NaN) < (seen.known?.mean_px ?? Number.NaN))
})

test('one that is told of pictures that were taken earlier knows the same', async () => {
  const png = await picture()
  const first = await guided((guide) =>
    Effect.gen(function* () {
      const seen = yield* guide.look(png)
      const look = lookIn(seen)
      return { look, seen, known: (yield* guide.take(look, look.corners)).known }
    }),
  )

  const again = await guided((guide) =>
    Effect.andThen(
      guide.setBoard(first.seen.known?.board ?? assert.fail('no board'), first.look),
      guide.take(first.look, first.look.corners),
    ),
  )

  assert.deepEqual(again.known, first.known)
})

test('what is no picture is told in words, and the next one is looked at', async () => {
  const png = await picture()

  const [nonsense, cut, empty, seen] = await guided((guide) =>
    Effect.all([
      guide.look(Buffer.from('no picture')),
      guide.look(png.subarray(0, png.length / 2)),
      guide.look(new Uint8Array()),
      guide.look(png),
    ]),
  )

  for (const answer of [nonsense, cut, empty])
    assert.ok('detail' in answer && answer.detail.length > 10, JSON.stringify(answer))
  assert.equal(lookIn(seen).corners.length, 60)
})

test('one that dies, is slow, says nonsense or is not there is told as such, and none is left', async (t) => {
  const folder = folderOf(t)
  const program = (name: string, script: string) => {
    const path = join(folder, name)
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
    return path
  }
  const faultOf = (path: string, limitMs?: number) =>
    guided((guide) => Effect.flip(guide.look(Buffer.from('x'))) as Effect.Effect<Fault, never>, path, limitMs)

  const died = await faultOf(program('dies', 'read line; kill -KILL $$'))
  const complains = await faultOf(program('complains', 'read line; echo "no memory" >&2; exit 1'))
  const nonsense = await faultOf(program('nonsense', 'read line; echo "{not json"; exec sleep 600'))
  const slow = await faultOf(program('slow', 'exec sleep 600'), 200)
  const missing = await faultOf(join(folder, 'nowhere'))

  assert.match(died.detail, /SIGKILL/)
  assert.match(complains.detail, /no memory/)
  for (const { code } of [died, complains, nonsense, missing]) assert.equal(code, 'calibration.child_died')
  assert.equal(slow.code, 'calibration.too_slow')
})
