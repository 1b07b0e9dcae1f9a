// A bundle with a whole system, made by the command of the how-to around a bundle that RAUC itself has made.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { isSystemBundle } from '../../../../machines/update/system-bundle.ts'
import { makeSigningKey, parseSigningKey, updateKeyOf } from '../../../../native/update/bundle/sign.ts'
import { verifyBundle } from '../../../../native/update/bundle/verify.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const NO_RAUC = ['rauc', 'mksquashfs', 'openssl'].some((program) => spawnSync('which', [program]).status !== 0)
const SKIP = NO_RAUC && 'there is no RAUC here (packages rauc, squashfs-tools, openssl)'

const bundle = (...words: readonly string[]) =>
  spawnSync(process.execPath, ['native/update/bundle/main.ts', ...words], { cwd: ROOT, encoding: 'utf8' })

/** A file of RAUC, and a key of ours. */
const madeByRauc = (t: TestContext, version: string) => {
  const folder = folderOf(t)
  const [key, cert, raucb, content] = ['rauc.key', 'rauc.pem', 'x.raucb', 'content'].map((name) =>
    join(folder, name),
  ) as [...[string, string, string, string]]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=test', '-keyout', key, '-out', cert]
  execFileSync('openssl', request, { stdio: 'ignore' })
  mkdirSync(content)
  writeFileSync(join(content, 'root.img'), Buffer.alloc(8192, 7))
  writeFileSync(
    join(content, 'manifest.raucm'),
    `[update]\ncompatible=vedette-x64\nversion=${version}\n[bundle]\nformat=plain\n[image.rootfs]\nfilename=root.img\n`,
  )
  execFileSync('rauc', ['bundle', `--cert=${cert}`, `--key=${key}`, content, raucb], { stdio: 'ignore' })
  const ours = join(folder, 'update-key.pem')
  writeFileSync(ours, makeSigningKey())
  return { folder, raucb, key: ours, out: join(folder, 'system.vedette') }
}

test("a bundle around RAUC's says of itself what RAUC says, and holds on a device", { skip: SKIP }, async (t) => {
  const { folder, raucb, key, out } = madeByRauc(t, '2.1.0')
  const before = readdirSync(folder)

  const { status, stdout, stderr } = bundle('--system', raucb, '--key', key, '--out', out)

  assert.equal(status, 0, stderr)
  assert.match(stdout, /system\.vedette: version 2\.1\.0 for linux-/)
  assert.deepEqual(readdirSync(folder).toSorted(), [...before, 'system.vedette'].toSorted())
  const keys = [updateKeyOf(parseSigningKey(readFileSync(key, 'utf8'), 'the key'), null)]
  const device = { hardware: `linux-${process.arch}`, base: 'debian-12' }
  const { manifest, files } = await verifyBundle(out, { keys, timeMs: 0, device })
  assert.ok(isSystemBundle(manifest))
  assert.deepEqual([manifest.base, manifest.version, manifest.minimum_version], ['rauc:vedette-x64', '2.1.0', '0.1.0'])
  for await (const { content } of files()) assert.deepEqual(await buffer(content), readFileSync(raucb))
})

test('what RAUC cannot read, and a version that cannot be compared, are refused', { skip: SKIP }, (t) => {
  const { raucb, key, out } = madeByRauc(t, 'friday')

  assert.match(bundle('--system', raucb, '--key', key, '--out', out).stderr, /the version "friday"/)
  assert.match(bundle('--system', key, '--key', key, '--out', out).stderr, /^RAUC cannot read .*update-key\.pem: /)
  assert.match(bundle('--system', raucb, '--release', '.', '--key', key, '--out', out).stderr, /^npm run bundle -- /)
})
