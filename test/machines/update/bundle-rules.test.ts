import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestFlaw, maxTarBytes, misfit, pathFlaw } from '../../../machines/update/bundle-rules.ts'
import type { ReleaseManifest } from '../../../machines/update/release.ts'

const release = (...paths: readonly string[]): ReleaseManifest => ({
  format: 'vedette-release-1',
  product: 'vedette',
  version: '2.0.0-rc.1',
  hardware: ['linux-x64', 'linux-arm64'],
  base: 'debian-12',
  minimum_version: '1.0.0',
  built_at_ms: 0,
  files: paths.map((path) => ({ path, bytes: 10, sha256: '0'.repeat(64), executable: false })),
})

test('names of files are plain, and lead into folders below', () => {
  for (const path of ['bin/node', '.bundle/engine/main.mjs', 'node_modules/@a/b+c.js', `${'a/'.repeat(15)}a`])
    assert.equal(pathFlaw(path), undefined, path)
  for (const path of [
    ...['', '/etc/passwd', '../x', 'a/../x', 'a/..', './a', 'a//b', 'a/', 'a\\b', 'a b', 'ä', 'a\n', 'a\0b', 'C:x'],
    ...['release.json', 'Release.JSON', 'signatures.json', 'complete', `${'a/'.repeat(16)}a`, 'a'.repeat(201)],
  ])
    assert.ok(pathFlaw(path), JSON.stringify(path))
})

test('a manifest names each file once, whatever the case of its letters', () => {
  assert.equal(manifestFlaw(release('bin/node', 'bin/node2', 'a/complete')), undefined)

  assert.match(manifestFlaw(release('a', 'b', 'a')) ?? '', /a stands in it twice/)
  assert.match(manifestFlaw(release('lib/A', 'lib/a')) ?? '', /twice, but for the case/)
  assert.match(manifestFlaw(release('Lib/a', 'lib/b')) ?? '', /Lib and lib differ only in the case/)
  assert.match(manifestFlaw(release('a/b', 'A')) ?? '', /a is a file and a folder/)
  assert.match(manifestFlaw(release('a', 'a/b')) ?? '', /a is a file and a folder/)
  assert.match(manifestFlaw(release('complete/b')) ?? '', /complete is a file and a folder/)
})

test('versions are those of semver.org, and sizes have an end', () => {
  for (const version of ['v1.2.3', '1.2', '1.2.3.4', '01.2.3', ' 1.2.3', ''])
    assert.match(manifestFlaw({ ...release(), version }) ?? '', /semver/, version)
  assert.match(manifestFlaw({ ...release(), minimum_version: 'x' }) ?? '', /semver/)
  const [file] = release('a').files
  const large = { ...release(), files: [{ ...file, bytes: 2 ** 40 }] } as ReleaseManifest
  assert.match(manifestFlaw(large) ?? '', /bytes/)
})

test('an archive may be as large as its files, with headers, and not much larger', () => {
  const least = maxTarBytes(release())
  assert.equal(maxTarBytes(release('a', 'b')) - least, 2 * (5 * 512 + 10))
})

test('a release for other hardware or another system does not fit', () => {
  const device = { hardware: 'linux-arm64', base: 'debian-12' }
  assert.equal(misfit(release(), device), undefined)
  assert.equal(misfit(release(), { ...device, base: null }), undefined)

  assert.match(misfit(release(), { ...device, hardware: 'linux-arm' }) ?? '', /made for linux-x64, linux-arm64/)
  assert.match(misfit(release(), { ...device, base: 'debian-13' }) ?? '', /libraries of debian-12.*has debian-13/)
})

test('a release with a whole system brings its own libraries', () => {
  const device = { hardware: 'linux-x64', base: 'debian-12' }
  assert.equal(misfit({ ...release(), base: 'rauc:vedette-x64' }, device), undefined)
})
