// The administrator's token and the file that remembers it.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { fileTokens } from '../../../native/tokens/file.ts'

const pathOf = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-token-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'token')
}

const start = (path: string, noted: Fault[] = []) => fileTokens(path, (fault) => noted.push(fault))

test('a token is made once, told once, and good from then on', (t) => {
  const path = pathOf(t)

  const first = start(path)
  const later = start(path)

  assert.match(first.made ?? '', /^[\w-]{32}$/)
  assert.equal(later.made, null)
  for (const tokens of [first, later]) {
    assert.ok(tokens.verify(first.made ?? ''))
    for (const wrong of ['', 'x', `${first.made} `, first.made?.slice(1) ?? '']) assert.ok(!tokens.verify(wrong))
  }
})

test('the file does not hold the token, and nobody else may read it', (t) => {
  const path = pathOf(t)

  const { made } = start(path)

  assert.ok(!readFileSync(path, 'utf8').includes(made ?? ''))
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('what a power cut left of the writing is written over', (t) => {
  const path = pathOf(t)
  writeFileSync(`${path}.next`, 'cut sho')

  const { made, verify, fault } = start(path)

  assert.ok(made && verify(made))
  assert.equal(fault, null)
  assert.ok(start(path).verify(made))
})

for (const [what, spoil, why] of [
  ['is empty', (path: string) => writeFileSync(path, ''), /is empty/],
  ['is cut short', (path: string) => writeFileSync(path, 'e3b0c44298fc'), /holds no token/],
  ['holds too much', (path: string) => writeFileSync(path, `${'a'.repeat(64)} and more`), /holds no token/],
  ['holds zeroes', (path: string) => writeFileSync(path, Buffer.alloc(65)), /holds no token/],
  ['is a folder', (path: string) => mkdirSync(path), /cannot be read \(EISDIR/],
] as const) {
  test(`a token file that ${what} lets nobody in, and is told of until it is deleted`, (t) => {
    const path = pathOf(t)
    const { made: before } = start(path)
    rmSync(path)
    spoil(path)

    for (const { made, verify, fault } of [start(path), start(path)]) {
      assert.equal(made, null)
      for (const token of ['', before ?? '', '\0']) assert.ok(!verify(token))
      assert.equal(fault?.code, 'token.unusable')
      assert.match(fault?.detail ?? '', why)
      assert.ok(fault?.detail.includes(path) && fault.detail.includes('Delete it'))
    }

    rmSync(path, { recursive: true })
    const { made, verify } = start(path)
    assert.ok(made && verify(made))
  })
}

test('a token that cannot be kept is not told to anybody', (t) => {
  const path = join(pathOf(t), 'no', 'such', 'folder')

  const { made, verify, fault } = start(path)

  assert.equal(made, null)
  assert.ok(!verify(''))
  assert.equal(fault?.code, 'token.not_kept')
})

const rightsOf = (path: string): number => statSync(path).mode & 0o777

test('a token file that others could write is restricted to its owner, and what that means is said once', (t) => {
  for (const [before, after] of [
    [0o666, 0o644],
    [0o664, 0o644],
    [0o620, 0o600],
    [0o602, 0o600],
  ] as const) {
    const [path, noted] = [pathOf(t), [] as Fault[]]
    const { made } = start(path, noted)
    chmodSync(path, before)

    const again = [start(path, noted), start(path, noted)]

    assert.equal(rightsOf(path), after)
    for (const { verify } of again) assert.ok(verify(made ?? ''))
    assert.deepEqual(
      noted.map(({ code }) => code),
      ['token.exposed'],
    )
    const rights = `others could write it .its rights were ${before.toString(8)}, and are ${after.toString(8)} now`
    assert.match(noted[0]?.detail ?? '', new RegExp(`${rights}.*may administer.*delete the file`))
    assert.ok(!noted[0]?.detail.includes('chown'))
  }
})

test('who may read a token file is up to whoever has put it there: there is a hash in it', (t) => {
  for (const rights of [0o644, 0o640, 0o440]) {
    const [path, noted] = [pathOf(t), [] as Fault[]]
    start(path)
    chmodSync(path, rights)

    start(path, noted)

    assert.deepEqual([rightsOf(path), noted], [rights, []])
  }
})
