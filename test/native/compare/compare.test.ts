// Both detectors on one's own pictures: what is told of them, what is drawn, and what is said where that cannot be.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runComparison } from '../../../native/compare/program.ts'
import { report } from '../../../native/compare/report.ts'
import { withOrientation } from '../../../native/media/content/upright.ts'
import { PHOTOGRAPHS, photographs } from '../../support/media/photographs.ts'
import { grayPng } from '../../support/media/png.ts'
import { folderOf } from '../../support/processes/folder.ts'

const MAIN = fileURLToPath(new URL('../../../native/compare/main.ts', import.meta.url))
const DEMO = fileURLToPath(new URL('page-with-tag.jpg', import.meta.url)) // it has tag 19
const usual = { families: ['tag36h11'], decimate: 1 } as const

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** As npm runs it that was called in that folder. */
const compare = (folder: string, ...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, INIT_CWD: folder }
    execFile(process.execPath, [MAIN, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })

test('each picture of a folder has a line, and both answers are drawn beside each other', async (t) => {
  const folder = folderOf(t)
  mkdirSync(join(folder, 'pictures'))
  copyFileSync(DEMO, join(folder, 'pictures', 'wall.jpg'))
  writeFileSync(join(folder, 'pictures', 'wall.PNG'), grayPng(64, 48))
  writeFileSync(join(folder, 'pictures', 'torn.png'), grayPng(64, 48).subarray(0, 40))
  writeFileSync(join(folder, 'pictures', 'notes.txt'), 'not a picture')
  writeFileSync(join(folder, 'pictures', 'held.jpg'), withOrientation(readFileSync(DEMO), 6))

  const { code, stdout } = await compare(folder, 'pictures')

  assert.equal(code, 0, stdout)
  assert.match(stdout, /^wall\.jpg +1200x713 +19 +19 +- +- +\d\.\d\d$/m)
  assert.match(stdout, /^held\.jpg +713x1200 +19 +19 +- +- +\d\.\d\d$/m)
  assert.match(stdout, /^wall\.PNG +64x48 +- +- +- +- /m)
  assert.match(stdout, /^torn\.png: the picture cannot be decoded/m)
  assert.match(stdout, /^3 pictures: libapriltag found 2 tags, vedette 2; 0 are libapriltag's alone, 0 vedette's/m)
  const drawn = join(folder, 'pictures', 'compare')
  assert.deepEqual(readdirSync(drawn).sort(), ['held.jpg', 'wall.PNG.jpg', 'wall.jpg.jpg'])
  const [wide, high] = sizeOf(readFileSync(join(drawn, 'wall.jpg.jpg')))
  assert.ok(wide > 2 * 1200 && high > 713, `${wide}x${high}`)
})

/** Width and height of a JPEG, out of its frame header. */
const sizeOf = (jpeg: Buffer): readonly [number, number] => {
  let at = 2
  while ((jpeg[at + 1] as number) < 0xc0 || (jpeg[at + 1] as number) > 0xc2 || jpeg[at] !== 0xff)
    at += 2 + jpeg.readUInt16BE(at + 2)
  return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)]
}

test('what both find is alone on neither side', {
  skip: photographs() ? false : 'the real pictures are not at hand',
}, async (t) => {
  const to = join(folderOf(t), 'drawn.jpg')
  const from = `${PHOTOGRAPHS}apriltag/34085369442_304b6bafd9_c.jpg`

  const answer = await runComparison({ name: 'many', from, to }, usual)

  assert.ok(answer.ok)
  const [reference, vedette] = [answer.reference.tags, answer.vedette.tags]
  const together = (tags: typeof reference) => tags.filter(({ is_alone }) => !is_alone).length
  assert.ok(together(reference) >= 20, JSON.stringify(answer))
  assert.equal(together(vedette), together(reference))
  assert.notEqual(together(vedette), vedette.length, 'some of its smallest tags libapriltag does not read')
})

test('a report names the tags that only one of them finds, and those of other families', () => {
  const tag = (id: number, is_alone = false, family = 'tag36h11') => ({ family, id, is_alone })
  const comparison = {
    ok: true,
    width_px: 640,
    height_px: 480,
    reference: { cpu_us: 20_000, tags: [tag(3), tag(7, true)] },
    vedette: { cpu_us: 5_000, tags: [tag(3), tag(5, true, 'tag16h5'), tag(5, true, 'tag16h5')] },
  } as const

  const lines = report([{ name: 'a.png', comparison }]).split('\n')

  assert.match(lines[1] as string, /^a\.png +640x480 +3, 7 +3, 5 of tag16h5 \(2x\) +7 +5 of tag16h5 \(2x\) +0\.25$/)
  assert.match(
    lines.at(-1) as string,
    /^1 picture: .* 2 tags, vedette 3; 1 is libapriltag's alone, 2 vedette's; .* 0\.25 /,
  )
})

test('whoever names what cannot be compared is told what to do', async (t) => {
  const folder = folderOf(t)
  mkdirSync(join(folder, 'empty'))
  mkdirSync(join(folder, 'texts'))
  writeFileSync(join(folder, 'texts', 'notes.txt'), 'not a picture')
  mkdirSync(join(folder, 'taken'))
  writeFileSync(join(folder, 'taken', 'a.png'), grayPng(64, 48))
  writeFileSync(join(folder, 'taken', 'compare'), 'a file where the folder would be')
  const cases: readonly (readonly [string[], RegExp])[] = [
    [[], /^name one folder with pictures: npm run compare -- FOLDER/],
    [['nowhere'], /^there is no folder .*nowhere; /],
    [['empty'], /empty is empty; put pictures into it/],
    [['texts'], /^there is no picture in .*texts; put some into it/],
    [['texts/notes.txt'], /notes\.txt is a file; name the folder/],
    [['taken'], /^the comparisons cannot be written to .*taken\/compare \(EEXIST\); /],
    [['taken', '--families', 'tag36h12'], /^there is no family "tag36h12"; there are tag36h11, /],
    [['taken', '--decimate', '0'], /^--decimate is from 1 to 8, not 0/],
    [['taken', '--fast'], /^Unknown option '--fast'[\s\S]*npm run compare -- FOLDER/],
  ]

  for (const [words, sentence] of cases) {
    const { code, stdout, stderr } = await compare(folder, ...words)

    assert.deepEqual([code, stdout], [1, ''], words.join(' '))
    assert.match(stderr, sentence)
    assert.ok(!stderr.includes('    at '), stderr)
  }
})
