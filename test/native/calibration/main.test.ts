// `npm run calibrate` as it is used in a terminal.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CALIBRATION_PROGRAMS } from '../../../native/calibration/linux.ts'
import { grayPng } from '../../support/media/png.ts'
import { folderOf } from '../../support/processes/folder.ts'

const MAIN = join(import.meta.dirname, '../../../native/calibration/main.ts')
const PHOTOGRAPHS = join(import.meta.dirname, '../../../../shared/data/images/charuco')
const noPrograms = !existsSync(CALIBRATION_PROGRAMS.corners) && 'the programs are not built; run: sh native/setup.sh'
const noPhotographs = noPrograms || (!existsSync(PHOTOGRAPHS) && `there are no pictures in ${PHOTOGRAPHS}`)

/** As npm runs it that was called in that folder. */
const calibrate = (folder: string, ...words: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const env = { ...process.env, INIT_CWD: folder }
    execFile(process.execPath, [MAIN, ...words], { env }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })

test('real pictures: the board, each picture, the verdict, and intrinsics for a stream', {
  skip: noPhotographs,
}, async () => {
  const { code, stdout } = await calibrate(PHOTOGRAPHS, '.', '--square', '25.4')

  assert.equal(code, 0, stdout)
  assert.match(stdout, /^Board: charuco 8x8, aruco_4x4, markers 0\.75 of a square$/m)
  assert.match(stdout, /^640x480_00\.jpg: rms 0\.\d\d px, tilted -?\d+ and -?\d+ degrees, adds \d+\.\d %$/m)
  assert.match(stdout, /^Verdict: good$/m)
  const { intrinsics } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { intrinsics: Record<string, number> }
  assert.ok(Math.abs((intrinsics.fx_px as number) - 679.5) < 3.4)
})

test('what cannot be calibrated is said in a sentence, with what to do', { skip: noPrograms }, async (t) => {
  const folder = folderOf(t)
  mkdirSync(join(folder, 'empty'))
  mkdirSync(join(folder, 'blank'))
  writeFileSync(join(folder, 'blank', 'one.png'), grayPng(64, 48))
  const said = async (...words: readonly string[]) => {
    const { code, stderr } = await calibrate(folder, ...words)
    assert.equal(code, 1)
    return stderr.trim()
  }

  assert.match(await said(), /^name one folder with pictures: npm run calibrate/)
  assert.match(await said('empty'), /^say how large a square of the board is/)
  assert.match(await said('empty', '--square', '0'), /^say how large/)
  assert.match(await said('empty', '--square', '24'), /^0 pictures are in .*empty/)
  assert.match(await said('nowhere', '--square', '24'), /^.*nowhere cannot be read \(ENOENT\)$/)
  assert.match(
    await said('blank', '--square', '24x24.1'),
    /^neither markers of a board nor a chessboard were found in any of the pictures$/,
  )
  assert.match(await said('--colour'), /Unknown option[\s\S]*npm run calibrate/)
})
