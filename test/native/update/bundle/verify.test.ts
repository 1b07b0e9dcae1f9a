import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Fault } from '../../../../machines/errors/fault.ts'
import type { UpdateKey } from '../../../../machines/update/keys.ts'
import { updateKeyOf } from '../../../../native/update/bundle/sign.ts'
import { type Judging, verifyBundle } from '../../../../native/update/bundle/verify.ts'
import { shortOrLong } from '../../../support/long.ts'
import { folderOf } from '../../../support/processes/folder.ts'
import { closed } from '../../../support/update/raw-bundle.ts'
import { bundleIn, releaseContent, signingKey } from '../../../support/update/releases.ts'

const device = { hardware: 'linux-x64', base: 'debian-12' }
const trusting = (...keys: readonly UpdateKey[]): Judging => ({ keys, timeMs: 1_000, device })
const judged = (path: string, judging: Judging): Promise<string> =>
  verifyBundle(path, judging).then(
    ({ signed_by }) => `signed by ${signed_by}`,
    ({ code, detail }: Fault) => `${code}: ${detail}`,
  )

const RUNS = shortOrLong(150, 2_000)

const folder = folderOf({ after })
const key = signingKey()
const known = updateKeyOf(key, null)
const { path, manifest, release } = await bundleIn(folder, { keys: [key] })
const whole = readFileSync(path)

test('a bundle that is whole, and signed by a key of the device, gives its files', async () => {
  const told: [number, number | null][] = []
  const bundle = await verifyBundle(path, trusting(known), { onProgress: (...all) => told.push(all) })

  assert.deepEqual(bundle.manifest, manifest)
  assert.equal(bundle.signed_by, key.id)
  assert.deepEqual(bundle.manifestBytes, readFileSync(join(release, 'release.json')))
  assert.deepEqual(told.at(-1), [whole.length, whole.length])
  const found: Record<string, string> = {}
  for await (const { path: name, content, executable } of bundle.files()) {
    found[name] = Buffer.concat(await content.toArray()).toString('latin1')
    assert.equal(executable, name === 'bin/node')
  }
  const written = Object.entries(releaseContent).map(([name, text]) => [name, Buffer.from(text).toString('latin1')])
  assert.deepEqual(found, Object.fromEntries(written))
})

test('one key of several is enough, so that keys can be replaced', async () => {
  const next = signingKey()
  const both = await bundleIn(folderOf({ after }), { keys: [key, next] })

  assert.equal(await judged(both.path, trusting(known)), `signed by ${key.id}`)
  assert.equal(await judged(both.path, trusting(updateKeyOf(next, null))), `signed by ${next.id}`)
  assert.equal(
    await judged(both.path, trusting(updateKeyOf(key, 999), updateKeyOf(next, 1_000))),
    `signed by ${next.id}`,
  )
})

test('a key that is not known, or has ended, is refused in its own sentence', async () => {
  const other = updateKeyOf(signingKey(), null)

  assert.match(await judged(path, trusting()), /signed by [0-9a-f]{16}, and this device trusts no key/)
  assert.match(
    await judged(path, trusting(other)),
    new RegExp(`update.refused: .*signed by ${key.id}, and this device trusts ${other.id}`),
  )
  assert.match(await judged(path, trusting(updateKeyOf(key, 999))), /key [0-9a-f]{16} that .* has ended on 1970-01-01/)
  assert.match(await judged(path, trusting({ ...other, id: key.id })), /release.json is not what [0-9a-f]{16} signed/)
})

test('a release of something else, or for another device, is refused in its own sentence', async (t) => {
  const of = async (more: Parameters<typeof bundleIn>[1]) => {
    const made = await bundleIn(folderOf(t), { ...more, keys: [key] })
    return judged(made.path, trusting(known))
  }

  assert.match(await of({ hardware: ['linux-arm64'] }), /made for linux-arm64, and this device is linux-x64/)
  assert.match(await of({ base: 'debian-13' }), /needs the libraries of debian-13, and this device has debian-12/)
  assert.match(await of({ version: '0.0.1' }), /^signed by/, 'how old it may be is judged when it is applied')
})

test('a manifest of another product, another format, or with more in it, is refused', async () => {
  const { signedBeginning, bundleOf } = await import('../../../support/update/raw-bundle.ts')
  const out = join(folder, 'other.vedette')
  const of = async (more: object) => {
    writeFileSync(out, await bundleOf(signedBeginning({ ...manifest, ...more }, [key])))
    return judged(out, trusting(known))
  }

  assert.match(await of({ product: 'toaster' }), /product of release.json must be "vedette"/)
  assert.match(await of({ format: 'vedette-release-2' }), /format of release.json must be "vedette-release-1"/)
  assert.match(await of({ more: 1 }), /\/more of release.json/)
  assert.match(await of({ version: 'latest' }), /"latest" is not one as of semver.org/)
})

test('a bundle that was changed between its check and its installation is refused as it is unpacked', async (t) => {
  const own = folderOf(t)
  const copy = join(own, 'copy')
  writeFileSync(copy, whole)
  const bundle = await verifyBundle(copy, trusting(known))
  const unpack = async () => {
    for await (const { content } of bundle.files()) for await (const _ of content);
  }
  const codeOf = () =>
    unpack().then(
      () => 'taken',
      ({ code, detail }: Fault) => `${code}: ${detail}`,
    )
  assert.equal(await codeOf(), 'taken')

  const other = await bundleIn(own, { version: '1.2.4', keys: [key] })
  writeFileSync(copy, readFileSync(other.path))
  assert.match(await codeOf(), /^update.refused: .*another one than the one that was checked/)
  writeFileSync(copy, whole.subarray(0, -1))
  assert.match(await codeOf(), /^update.refused: .*damaged/)
  writeFileSync(copy, '')
  assert.match(await codeOf(), /^update.refused: .*no bundle/)
})

test('whoever stops early, or never reads a file, leaves nothing open', async () => {
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  const bundle = await verifyBundle(path, trusting(known))
  for await (const _ of bundle.files()) break
  for await (const { content } of bundle.files()) {
    await content[Symbol.asyncIterator]().next()
    break
  }
  const skip = async () => {
    for await (const _ of bundle.files());
  }
  await assert.rejects(skip, /was not read whole/)
  const stop = new AbortController()
  const stopped = verifyBundle(path, trusting(known), { signal: stop.signal, onProgress: () => stop.abort() })
  await assert.rejects(stopped, /abort/i)

  assert.equal(open(), before)
})

test('a file that is not there is a fault of the device', async () => {
  assert.match(await judged(join(folder, 'nothing'), trusting(known)), /^device.failed: .*ENOENT/)
  assert.match(await judged(folder, trusting(known)), /^device.failed: .*EISDIR/)
})

const bad = join(folder, 'bad.vedette')

test('one bit that is changed anywhere is found', async () => {
  const bit = fc.integer({ min: 0, max: whole.length * 8 - 1 })
  await fc.assert(
    fc.asyncProperty(bit, async (at) => {
      const changed = Buffer.from(whole)
      changed[at >> 3] = (whole[at >> 3] ?? 0) ^ (1 << (at & 7))
      writeFileSync(bad, changed)
      assert.match(await judged(bad, trusting(known)), /^update.refused: .*(is damaged or cut short|is no bundle)/)
    }),
    { numRuns: RUNS },
  )
})

test('one bit that is changed by somebody who closes the bundle again gives nothing but what was signed', async () => {
  const frame = whole.subarray(0, -40)
  const bit = fc.integer({ min: 0, max: frame.length * 8 - 1 })
  await fc.assert(
    fc.asyncProperty(bit, async (at) => {
      const changed = Buffer.from(frame)
      changed[at >> 3] = (frame[at >> 3] ?? 0) ^ (1 << (at & 7))
      writeFileSync(bad, closed(changed))
      assert.match(await judged(bad, trusting(known)), /^update.refused: |^signed by /)
      const bundle = await verifyBundle(bad, trusting(known)).catch(() => undefined)
      if (bundle) assert.deepEqual(bundle.manifest, manifest)
    }),
    { numRuns: RUNS },
  )
})

test('a bundle that is cut anywhere is found, also by somebody who closes it again', async () => {
  const length = fc.integer({ min: 0, max: whole.length - 1 })
  await fc.assert(
    fc.asyncProperty(length, async (bytes) => {
      const rest = whole.subarray(0, bytes)
      writeFileSync(bad, rest)
      assert.match(await judged(bad, trusting(known)), /^update.refused: .*(is damaged or cut short|is no bundle)/)
      writeFileSync(bad, closed(rest))
      if (bytes !== whole.length - 40) assert.match(await judged(bad, trusting(known)), /^update.refused: /)
    }),
    { numRuns: RUNS },
  )
})

test('bytes of any kind are refused, and never more than that', async () => {
  const beginning = whole.subarray(0, 6)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), fc.boolean(), async (bytes, isClosed) => {
      const all = Buffer.concat([beginning, bytes])
      writeFileSync(bad, isClosed ? closed(all) : all)
      assert.match(await judged(bad, trusting(known)), /^update.refused: /)
    }),
    { numRuns: RUNS },
  )
})

test('a bundle of a release whose files are large is read piece by piece', async (t) => {
  const own = folderOf(t)
  mkdirSync(join(own, 'release'))
  writeFileSync(join(own, 'release/large'), '')
  truncateSync(join(own, 'release/large'), 128 * 1024 ** 2)
  const { path: large } = await bundleIn(own, { content: {}, keys: [key] })
  const before = process.resourceUsage().maxRSS

  assert.match(await judged(large, trusting(known)), /^signed by/)

  const grown = (process.resourceUsage().maxRSS - before) / 1024
  assert.ok(
    grown < 64, // half of the file
    `grew by ${grown} MiB`,
  )
})
