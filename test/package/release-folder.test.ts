// What a release may carry, and that the same content gives the same bytes.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { schemaErrors } from '../../machines/schema/errors.ts'
import { ReleaseManifest } from '../../machines/update/release.ts'
import { type Content, type Said, sizeOf, writeRelease } from '../../native/update/bundle/release-folder.ts'
import { folderOf } from '../support/processes/folder.ts'

const SAID: Said = {
  version: '1.2.3',
  hardware: ['linux-x64'],
  base: 'debian-12',
  minimum_version: '1.0.0',
  built_at_ms: 1_600_000_000_000,
}

/** A few files in a folder of their own; each of them is new. */
const contentIn = (t: TestContext): readonly Content[] => {
  const folder = folderOf(t)
  mkdirSync(join(folder, 'made'))
  writeFileSync(join(folder, 'made/tool'), '#!/bin/sh\n', { mode: 0o700 })
  writeFileSync(join(folder, 'made/text'), 'a text', { mode: 0o600 })
  return [
    { path: 'bin/tool', from: { file: join(folder, 'made/tool') }, executable: true },
    { path: 'docs/deep/text', from: { file: join(folder, 'made/text') } },
    { path: 'package.json', from: { text: '{}' } },
  ]
}

/** All that an archive of it would hold: names, modes, dates and bytes. */
const archiveOf = (folder: string): string =>
  createHash('sha256')
    .update(execFileSync('tar', ['-c', '--sort=name', '--numeric-owner', '-C', folder, '.']))
    .digest('hex')

test('the same content gives the same bytes, in whatever folder, order and mask of rights', (t) => {
  const [one, other] = [join(folderOf(t), 'release'), join(folderOf(t), 'elsewhere/release')]
  writeRelease(one, contentIn(t), SAID)

  const mask = process.umask(0o077)
  try {
    writeRelease(other, [...contentIn(t)].reverse(), SAID)
  } finally {
    process.umask(mask)
  }

  assert.equal(archiveOf(other), archiveOf(one))
})

test('other content gives another manifest', (t) => {
  const [one, other] = [join(folderOf(t), 'release'), join(folderOf(t), 'release')]
  writeRelease(one, contentIn(t), SAID)
  writeRelease(other, [...contentIn(t), { path: 'one-more', from: { text: '' } }], SAID)

  assert.notEqual(readFileSync(join(other, 'release.json'), 'utf8'), readFileSync(join(one, 'release.json'), 'utf8'))
})

test('the manifest names each file with its size, sum and mode, by path', (t) => {
  const folder = join(folderOf(t), 'release')

  const manifest = writeRelease(folder, contentIn(t), SAID)

  const written = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as ReleaseManifest
  assert.deepEqual(written, manifest)
  assert.deepEqual(schemaErrors(ReleaseManifest, written), [])
  assert.deepEqual(
    manifest.files.map(({ path, bytes, executable }) => [path, bytes, executable]),
    [
      ['bin/tool', 10, true],
      ['docs/deep/text', 6, false],
      ['package.json', 2, false],
    ],
  )
  for (const { path, sha256, executable } of manifest.files) {
    const bytes = readFileSync(join(folder, path))
    assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'), path)
    assert.equal(statSync(join(folder, path)).mode & 0o7777, executable ? 0o755 : 0o644, path)
  }
  assert.equal(sizeOf(folder, manifest), 18 + statSync(join(folder, 'release.json')).size)
})

test('what a device would refuse is refused where a release is made', (t) => {
  const folder = join(folderOf(t), 'release')
  const make = (path: string) => writeRelease(folder, [{ path, from: { text: '' } }], SAID)

  assert.throws(() => make('a name'), /a device would refuse this release: the name "a name" has other characters/)
  assert.throws(() => make('complete'), /is taken/)
  assert.throws(() => writeRelease(folder, contentIn(t), { ...SAID, version: 'new' }), /its version "new"/)
})
