// The commands of the page about calibrating, as a reader would run them one after the other, on the real service. The
// camera is the one that the page describes; somebody holds a board in front of it.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { FoundBoard } from '../../machines/calibration/task.ts'
import type { StreamLens } from '../../machines/stream/lens.ts'
import type { StreamManifest } from '../../machines/stream/manifest.ts'
import { CALIBRATION_PROGRAMS, linuxCalibration } from '../../native/calibration/linux.ts'
import { commandsOf, howTo, noPrograms, runCommands } from '../support/api/page-commands.ts'
import { site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'

const notBuilt =
  !Object.values(CALIBRATION_PROGRAMS).every((path) => existsSync(path)) &&
  'the programs are not built; run: sh native/setup.sh'

const PAGE = howTo('calibrate-a-camera')

/** The camera of the page. */
const described = (): StreamManifest & { readonly id: string } => {
  const [, json = ''] = PAGE.match(/^```json\n(.*?)^```/ms) ?? []
  return JSON.parse(json)
}

/** Several views a second instead of one in three: who runs the commands here does not get tired. */
const QUICK = { fps: 8, board: { hold_ms: 125, move_ms: 0 } }

test('the commands about calibrating lead from a printed board to a calibration in force', {
  skip: noPrograms || notBuilt,
}, async (t) => {
  const daemon = await site(t).start()
  const { id, source } = described()
  await daemon.addStream({
    id,
    source: { ...source, ...QUICK } as StreamManifest['source'],
    pipeline: { nodes: [{ id: 'source', type: 'source' }], edges: [], outputs: [] },
  })
  const cwd = folderOf(t)
  process.env.PAUSE = '0.2'
  t.after(() => delete process.env.PAUSE)

  const stdout = await runCommands(commandsOf(PAGE), daemon.url, cwd)

  t.diagnostic(stdout)
  assert.equal(readFileSync(join(cwd, 'board.pdf')).subarray(0, 8).toString(), '%PDF-1.4')
  assert.match(stdout, /^Board: 11x7, aruco_4x4$/m)
  assert.equal([...stdout.matchAll(/^front-.*\.jpg: adds \d+ % $/gm)].length, 15)
  assert.match(stdout, /^Verdict: good, 0\.\d+ px off in the mean$/m)
  assert.match(stdout, /^cal-[a-z2-7]{8} is in force, fx 90[45]\.\d+ px$/m)
  assert.match(stdout, /^cal-[a-z2-7]{8}: .*, good, \["front"\]$/m)
  const { status } = await daemon.get<{ status: { lens: StreamLens } }>('/v1/streams/front')
  assert.equal(status.lens.source, 'calibration')
  assert.ok(Math.abs(status.lens.fx_px - 905) < 0.5, String(status.lens.fx_px))

  // the board that is held is the one that is printed
  const png = await fetch(`${daemon.url}/v1/streams/front/calibration/board`)
  writeFileSync(join(cwd, 'board.png'), Buffer.from(await png.arrayBuffer()))
  const printed = (await Effect.runPromise(linuxCalibration().corners([join(cwd, 'board.png')]))) as FoundBoard
  assert.deepEqual([printed.family, printed.columns, printed.rows], ['aruco_4x4', 11, 7])
  assert.ok(Math.abs(printed.marker_share - 0.75) < 0.01)
})

test('the pictures of the page are there, and say in words what they show', () => {
  const pictures = [...PAGE.matchAll(/!\[(.+)\]\(\.\.\/pictures\/(.+\.svg)\)/g)]

  assert.equal(pictures.length, 2)
  for (const [, , name = ''] of pictures) {
    const svg = readFileSync(new URL(`../../docs/pictures/${name}`, import.meta.url), 'utf8')
    assert.match(svg, /^<svg [^>]*role="img">\n<title>.{20,}<\/title>/)
  }
})
