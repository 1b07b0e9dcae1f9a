import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { BUNDLE_BEGINNING, CLOSING_BYTES, closingOf } from '../../../../native/update/bundle/format.ts'
import { readUpdateKeys } from '../../../../native/update/bundle/key-files.ts'
import { listReleaseFiles, packBundle } from '../../../../native/update/bundle/pack.ts'
import { readSigningKey } from '../../../../native/update/bundle/sign.ts'
import { folderOf } from '../../../support/processes/folder.ts'
import { bundleIn, releaseIn, signingKey } from '../../../support/update/releases.ts'

const ROOT = join(import.meta.dirname, '../../../..')

test('a bundle is what tar and zstd of others read, with the manifest first and its signatures second', async (t) => {
  const { path, manifest } = await bundleIn(folderOf(t))

  const tar = zstdDecompressSync(readFileSync(path))
  const listed = execFileSync('tar', ['tv', '--full-time', '--utc'], { input: tar }).toString()
  const lines = listed
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
  assert.deepEqual(
    lines.map(([mode, owner, bytes, , , name]) => [mode, owner, Number(bytes), name]),
    [
      ['-rw-r--r--', '0/0', lines[0]?.[2], 'release.json'],
      ['-rw-r--r--', '0/0', lines[1]?.[2], 'signatures.json'],
      ...manifest.files.map((file) => [file.executable ? '-rwxr-xr-x' : '-rw-r--r--', '0/0', file.bytes, file.path]),
    ].map(([mode, owner, bytes, name]) => [mode, owner, Number(bytes), name]),
  )
  assert.ok(listed.split('\n').every((line) => line === '' || line.includes(' 1970-01-01 00:00:00 ')))
})

test('a bundle begins as all do, and ends with the SHA-256 of what stands before its end', async (t) => {
  const { path } = await bundleIn(folderOf(t))

  const bytes = readFileSync(path)
  const end = bytes.length - CLOSING_BYTES
  assert.deepEqual(bytes.subarray(0, BUNDLE_BEGINNING.length), BUNDLE_BEGINNING)
  assert.deepEqual(bytes.subarray(end), closingOf(createHash('sha256').update(bytes.subarray(0, end)).digest()))
})

test('the same release gives the same bytes', async (t) => {
  const keys = [signingKey(), signingKey()]
  const [one, other] = [await bundleIn(folderOf(t), { keys }), await bundleIn(folderOf(t), { keys })]

  assert.deepEqual(readFileSync(one.path), readFileSync(other.path))
})

test('a folder that is not what its manifest says is not packed, and nothing is left of the try', async (t) => {
  const folder = folderOf(t)
  await releaseIn(folder)
  const out = join(folderOf(t), 'x.vedette')
  const tries: readonly [path: string, text: string, RegExp][] = [
    ['.bundle/main.mjs', 'console.log("ruins")', /main.mjs is not what release.json says/],
    ['licenses/none', 'x', /none is not what release.json says/],
    ['release.json', '{}', /format of release.json is missing/],
  ]
  for (const [path, text, message] of tries) {
    const before = readFileSync(join(folder, path))
    writeFileSync(join(folder, path), text)
    await assert.rejects(packBundle(folder, [signingKey()], out, { level: 1 }), message)
    writeFileSync(join(folder, path), before)
  }
  await assert.rejects(packBundle(folder, [], out), /without a signature/)
  await assert.rejects(packBundle(folder, [signingKey()], join(folder, 'nowhere/x.vedette')), /ENOENT/)

  assert.deepEqual(readdirSync(join(out, '..')), [])
})

test('only files and folders are listed of a release', async (t) => {
  const folder = folderOf(t)
  const { files } = await releaseIn(folder)
  assert.deepEqual(
    files.map(({ path }) => path),
    files.map(({ path }) => path).toSorted(),
  )
  symlinkSync('/etc/passwd', join(folder, 'bin/passwd'))

  await assert.rejects(listReleaseFiles(folder), /passwd is neither a file nor a folder/)
})

/** Runs a command as one does by hand; npm would say where it was called. */
const commandIn =
  (folder: string) =>
  (main: string, ...args: readonly string[]) => {
    const { INIT_CWD: _, ...env } = process.env
    const path = join(ROOT, 'native/update/bundle', main)
    return spawnSync(process.execPath, [path, ...args], { cwd: folder, encoding: 'utf8', env })
  }

test('a team makes a key, and signs a bundle with it, by two commands', async (t) => {
  const folder = folderOf(t)
  const { version } = await releaseIn(join(folder, 'release'))
  const run = commandIn(folder)

  const made = run('key-main.ts', '--out', 'team.pem', '--not-after', '2027-12-31')
  const packed = run('main.ts', '--release', 'release', '--key', 'team.pem', '--out', 'r.vedette', '--level', '1')

  const { id } = readSigningKey(join(folder, 'team.pem'))
  assert.match(made.stdout, new RegExp(`Made the key ${id}`))
  assert.equal(statSync(join(folder, 'team.pem')).mode & 0o777, 0o600)
  const [key] = await readUpdateKeys([join(folder, 'update-keys.json')])
  assert.deepEqual([key?.id, key?.not_after_ms], [id, Date.UTC(2027, 11, 31, 23, 59, 59, 999)])
  assert.match(packed.stdout, new RegExp(`version ${version} for linux-x64, 0.0 MB, signed by ${id}`))
  assert.ok(existsSync(join(folder, 'r.vedette')))
})

test('a key that is there is kept, and its end can be set later; what is wrong is said in a sentence', async (t) => {
  const folder = folderOf(t)
  const run = commandIn(folder)
  run('key-main.ts', '--out', 'a.pem')
  run('key-main.ts', '--out', 'b.pem')
  const before = readFileSync(join(folder, 'a.pem'))

  const again = run('key-main.ts', '--out', 'a.pem', '--not-after', '2026-01-01')

  assert.match(again.stdout, /Read the key/)
  assert.deepEqual(readFileSync(join(folder, 'a.pem')), before)
  const keys = await readUpdateKeys([join(folder, 'update-keys.json')])
  assert.deepEqual(keys.map(({ not_after_ms }) => not_after_ms === null).toSorted(), [false, true])
  writeFileSync(join(folder, 'no.pem'), 'no key')
  const wrong: readonly [RegExp, string, ...string[]][] = [
    [/npm run update-key/, 'key-main.ts'],
    [/a day as 2027-12-31/, 'key-main.ts', '--out', 'c.pem', '--not-after', 'soon'],
    [/no Ed25519 key/, 'key-main.ts', '--out', 'no.pem'],
    [/npm run bundle/, 'main.ts', '--out', 'x'],
    [/level is from 1 to 19/, 'main.ts', '--release', 'r', '--key', 'a.pem', '--out', 'x', '--level', '20'],
    [/ENOENT.*release.json/, 'main.ts', '--release', 'r', '--key', 'a.pem', '--out', 'x'],
    [/cannot read the key: ENOENT/, 'main.ts', '--release', 'r', '--key', 'c.pem', '--out', 'x'],
  ]
  for (const [message, ...args] of wrong) {
    const { status, stderr } = run(...args)
    assert.equal(status, 1, args.join(' '))
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /\n {4}at /)
  }
  assert.ok(!existsSync(join(folder, 'c.pem')))
})
