// The administrator's token and the file that remembers it.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileTokens } from '../../../native/tokens/file.ts'

const pathOf = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-token-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'token')
}

test('a token is made once, told once, and good from then on', (t) => {
  const path = pathOf(t)

  const first = fileTokens(path)
  const later = fileTokens(path)

  assert.match(first.made ?? '', /^[\w-]{32}$/)
  assert.equal(later.made, null)
  for (const tokens of [first, later]) {
    assert.ok(tokens.verify(first.made ?? ''))
    for (const wrong of ['', 'x', `${first.made} `, first.made?.slice(1) ?? '']) assert.ok(!tokens.verify(wrong))
  }
})

test('the file does not hold the token, and nobody else may read it', (t) => {
  const path = pathOf(t)

  const { made } = fileTokens(path)

  assert.ok(!readFileSync(path, 'utf8').includes(made ?? ''))
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('a file that holds no hash is replaced by a new token', (t) => {
  const path = pathOf(t)
  writeFileSync(path, 'cut sho')

  const { made, verify } = fileTokens(path)

  assert.ok(made && verify(made))
  assert.ok(!verify(''))
  assert.equal(fileTokens(path).made, null)
})
