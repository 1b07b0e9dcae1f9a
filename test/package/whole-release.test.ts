// The release as it is shipped: made twice it is the same, and it runs where there is neither this checkout nor a Node.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { MediaItem } from '../../machines/media/item.ts'
import type { ReleaseManifest } from '../../machines/update/release.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { IS_LONG } from '../support/long.ts'
import { copiedCheckout } from '../support/processes/checkout.ts'
import type { Daemon } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'
import { makeRelease, startCheckout, startRelease } from '../support/processes/release.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '../..')
const MAX_COMPRESSED_BYTES = 90e6
const STARTS = 5
const SKIP = IS_LONG ? false : 'it takes minutes: npm run test:long'

const lifetime = fileLifetime()
let release = ''

before(() => {
  if (!IS_LONG) return
  const folder = folderOf(lifetime)
  renameSync(makeRelease(join(folder, 'dist')), join(folder, 'elsewhere'))
  release = join(folder, 'elsewhere')
})

const manifestOf = (folder: string): ReleaseManifest =>
  JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as ReleaseManifest

/** The paths that are not the same in both. */
const differing = ({ files }: ReleaseManifest, other: ReleaseManifest): readonly string[] => {
  const sums = new Map(other.files.map(({ path, sha256 }) => [path, sha256]))
  const changed = files.filter(({ path, sha256 }) => sums.get(path) !== sha256).map(({ path }) => path)
  const missing = other.files.filter(({ path }) => !files.some((each) => each.path === path)).map(({ path }) => path)
  return [...changed, ...missing].sort()
}

test('a release made in another folder, of addons and a page that were made there, has the same bytes', {
  skip: SKIP,
}, (t) => {
  const { folder } = copiedCheckout(t)
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  // through a link esbuild would see where the packages really are, which no other checkout has there
  execFileSync(
    'sh',
    ['-c', `rm node_modules && { cp -al "$0" . 2>/dev/null || cp -a "$0" .; }`, join(ROOT, 'node_modules')],
    {
      cwd: folder,
    },
  )
  execFileSync(process.execPath, ['ui/build.ts'], { cwd: folder })
  for (const addon of ['native/addon', 'native/libav', 'native/notify'])
    execFileSync('sh', ['-c', `make -s -C ${addon} clean && make -s -j2 -C ${addon}`], { cwd: folder })

  const other = makeRelease(join(folderOf(t), 'dist'), folder)

  assert.deepEqual(differing(manifestOf(other), manifestOf(release)), [])
  assert.deepEqual(readFileSync(join(other, 'release.json')), readFileSync(join(release, 'release.json')))
})

test('a release is at most 90 MB when it is packed', { skip: SKIP }, (t) => {
  const packed = join(folderOf(t), 'release.tar.zst')

  execFileSync('sh', ['-c', `tar -c --sort=name -C "${release}" . | zstd -q -10 -T1 -o "${packed}"`])

  const { bytes } = JSON.parse(execFileSync('stat', ['-c', '{"bytes":%s}', packed], { encoding: 'utf8' }))
  t.diagnostic(`${(bytes / 1e6).toFixed(1)} MB packed`)
  assert.ok(bytes <= MAX_COMPRESSED_BYTES, `${bytes} bytes`)
})

test('it carries the terms of all that it carries, and a bill of materials', { skip: SKIP }, () => {
  const bom = JSON.parse(readFileSync(join(release, 'sbom.cdx.json'), 'utf8')) as {
    readonly components: readonly { readonly group?: string; readonly name: string; readonly version: string }[]
  }
  const names = bom.components.map(({ group, name }) => (group ? `${group}/${name}` : name))
  for (const name of ['fastify', 'react', '@peculiar/x509', 'node', 'libc6', 'js-aruco2'])
    assert.ok(names.includes(name), name)
  assert.ok(!names.includes('esbuild') && !names.includes('typescript'))

  const terms = globSync('licenses/npm/*.txt', { cwd: release })
  const ofNpm = bom.components.filter(
    ({ name }) => name !== 'node' && !existsSync(join(release, `licenses/debian/${name}.txt`)),
  )
  for (const { group, name, version } of ofNpm) {
    const file = `licenses/npm/${group ? `${group}+` : ''}${name}-${version}.txt`
    assert.ok(terms.includes(file), file)
  }
  assert.match(readFileSync(join(release, 'licenses/node.txt'), 'utf8'), /Node\.js is licensed/)
})

test('it runs with pages, explorer, certificate, a pose and a recording, and opens nothing of this checkout', {
  skip: SKIP,
}, async (t) => {
  const daemon = await startRelease(t, release, { demo: '1', tls: '127.0.0.1:0' })
  await daemon.stream('demo', 'live')

  for (const path of ['/', '/docs', '/docs.js', '/icon.svg', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'])
    assert.equal((await fetch(daemon.url + path)).status, 200, path)
  for (const [, file] of (await (await fetch(daemon.url)).text()).matchAll(/(?:src|href)="(\/[^"]+)"/g))
    assert.equal((await fetch(daemon.url + file)).status, 200, file)
  const results = () => daemon.get<{ v: number; botpose_wpiblue: readonly number[] }>('/extcam/limelight/results')
  await until('a pose', results, ({ v, botpose_wpiblue }) => v === 1 && botpose_wpiblue.some((each) => each !== 0))
  const item = await recorded(daemon)
  assert.equal(item.media_type, 'video/mp4')

  const { engine_pid } = await daemon.metrics('demo')
  for (const pid of [daemon.pid, engine_pid]) {
    const mapped = readFileSync(`/proc/${pid}/maps`, 'utf8')
    assert.ok(mapped.includes(join(release, 'bin/node')))
    assert.ok(!mapped.includes(ROOT), `process ${pid} has something of ${ROOT} in its memory`)
  }
  assert.deepEqual((await daemon.get<{ items: object[] }>('/v1/errors')).items, [])
})

/** A second of the demo. */
const recorded = async (daemon: Daemon): Promise<MediaItem> => {
  assert.equal((await daemon.send('POST', '/v1/streams/demo/recording/start')).status, 201)
  await until(
    'pictures in the file',
    async () => (await daemon.stream('demo', 'live')).status.recording?.frames ?? 0,
    (frames) => frames >= 30,
  )
  await daemon.send('POST', '/v1/streams/demo/recording/stop')
  const [item] = (await daemon.get<{ items: MediaItem[] }>('/v1/media')).items
  assert.ok(item)
  return item
}

test('it is ready no later than npm start is', { skip: SKIP }, async (t) => {
  const times: Record<'release' | 'checkout', number[]> = { release: [], checkout: [] }
  for (let turn = 0; turn < STARTS; turn++) {
    const started = { release: await startRelease(t, release), checkout: await startCheckout(t) }
    for (const [who, daemon] of Object.entries(started)) {
      times[who as keyof typeof times].push(daemon.readyMs)
      await daemon.end('SIGTERM')
    }
  }

  const [ours, theirs] = [median(times.release), median(times.checkout)]
  t.diagnostic(`release ${ours.toFixed(0)} ms, npm start ${theirs.toFixed(0)} ms, ${(ours / theirs).toFixed(2)}`)
  assert.ok(ours <= theirs, `${ours} ms against ${theirs} ms`)
})

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
