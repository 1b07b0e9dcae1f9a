// Files written whole: what stands there after each kind of end.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writeFileWhole, writeFileWholeSoon } from '../../../native/files/atomic.ts'
import { killedAfter } from '../../support/processes/killed.ts'

const folder = (t: TestContext): string => {
  const path = mkdtempSync(join(tmpdir(), 'vedette-files-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const ways = [
  ['at once', async (...args: Parameters<typeof writeFileWhole>) => writeFileWhole(...args)],
  ['in the background', writeFileWholeSoon],
] as const
for (const [way, write] of ways) {
  test(`a file written ${way} has the new text and rights, and nothing stays beside it`, async (t) => {
    const path = join(folder(t), 'key.pem')
    writeFileSync(path, 'old', { mode: 0o644 })
    writeFileSync(`${path}.next`, 'half of an earlier one', { mode: 0o644 })

    await write(path, 'new', { mode: 0o600 })

    assert.equal(readFileSync(path, 'utf8'), 'new')
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(join(path, '..')), ['key.pem'])
  })

  test(`what cannot be written ${way} leaves the old file and nothing else`, async (t) => {
    const dataDir = folder(t)
    const path = join(dataDir, 'taken')
    mkdirSync(join(path, 'inside'), { recursive: true })

    await assert.rejects(() => write(path, 'new'), { syscall: 'rename' })

    assert.deepEqual(readdirSync(dataDir), ['taken'])
    assert.ok(existsSync(join(path, 'inside')))
  })

  test(`a folder that is missing is an error ${way}`, async (t) => {
    const path = join(folder(t), 'missing', 'file')

    await assert.rejects(() => write(path, 'new'), { code: 'ENOENT' })
  })
}

/** A process that rewrites a file with itself over and over, each time all of one letter, and says so on stdout. */
const WRITER = `
  import { writeFileWhole } from ${JSON.stringify(join(import.meta.dirname, '../../../native/files/atomic.ts'))}
  import { writeSync } from 'node:fs'
  for (let n = 0; ; n += 1) {
    writeFileWhole(process.argv[1], 'ab'[n % 2].repeat(300_000))
    writeSync(1, 'written\\n')
  }`

test('a process that is killed while it writes leaves a whole file', async (t) => {
  const path = join(folder(t), 'file')

  for (let kill = 0; kill < 8; kill += 1) {
    await killedAfter(1 + kill, ['--input-type=module', '-e', WRITER, path])

    assert.match(readFileSync(path, 'utf8'), /^(a{300000}|b{300000})$/)
  }
})
