import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOlder, isVersion } from '../../../machines/update/version.ts'

test('versions are those of semver.org', () => {
  for (const text of ['0.1.0', '2026.1.0-rc.1', '1.2.3+build.5', '1.2.3-0']) assert.equal(isVersion(text), true, text)
  for (const text of [
    'v1.2.3',
    '1.2',
    '1.2.3.4',
    '01.2.3',
    ' 1.2.3',
    '1.2.3 ',
    '',
    '1.2.3-01',
    `1.2.${'9'.repeat(400)}`,
  ])
    assert.equal(isVersion(text), false, text)
})

test('numbers are compared by value, and what leads up to a release is older than it', () => {
  const rising = ['1.9.0', '1.10.0', '2.0.0-alpha', '2.0.0-alpha.1', '2.0.0-rc.9', '2.0.0-rc.10', '2.0.0', '2.0.1-0']
  for (const [n, version] of rising.entries())
    for (const [m, other] of rising.entries()) assert.equal(isOlder(version, other), n < m, `${version} ${other}`)
  assert.equal(isOlder('1.2.3+a', '1.2.3+b'), false)
})
