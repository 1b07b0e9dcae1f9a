// Archives that attack who reads them: each one in a bundle that is signed by a key of the device, and whole. All are
// refused for what they are, nothing is written, and nothing stays open.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { constants, createZstdCompress } from 'node:zlib'
import type { Fault } from '../../../../machines/errors/fault.ts'
import type { ReleaseManifest } from '../../../../machines/update/release.ts'
import { updateKeyOf } from '../../../../native/update/bundle/sign.ts'
import { verifyBundle } from '../../../../native/update/bundle/verify.ts'
import { folderOf } from '../../../support/processes/folder.ts'
import {
  bundleOf,
  closed,
  entriesOf,
  manifestOf,
  paxLine,
  type RawEntry,
  rawEntry,
  signedBeginning,
  TAR_END,
} from '../../../support/update/raw-bundle.ts'
import { signingKey } from '../../../support/update/releases.ts'

const content = { 'bin/node': 'a program', 'package.json': '{}' }
const manifest = manifestOf(content)
const [node, packageJson] = entriesOf(manifest, content) as [RawEntry, RawEntry]
const key = signingKey()
const judging = {
  keys: [updateKeyOf(key, null)],
  timeMs: 0,
  device: { hardware: 'linux-x64', base: 'debian-12' },
}

const folder = folderOf({ after })
const path = join(folder, 'upload.part')
const open = () => readdirSync('/proc/self/fd').length

/** What becomes of a bundle; nothing of it is left, whatever that is. */
const judged = async (bundle: Buffer): Promise<string> => {
  writeFileSync(path, bundle)
  const before = open()
  const found = await verifyBundle(path, judging).then(
    ({ manifest: { version } }) => `version ${version}`,
    ({ code, detail }: Fault) => `${code}: ${detail}`,
  )
  assert.deepEqual(readdirSync(folder), ['upload.part'])
  assert.equal(open(), before, 'all that was opened is closed')
  return found
}

const archive = (entries: readonly RawEntry[], of: unknown = manifest): Promise<Buffer> =>
  bundleOf(signedBeginning(of, [key]), ...entries.map(rawEntry), TAR_END)

test('what these tests are made of is taken as long as nothing is wrong with it', async () => {
  assert.equal(await judged(await archive([node, packageJson])), 'version 1.2.3')
  assert.equal(
    await judged(await bundleOf(signedBeginning(manifest, [key]), rawEntry(node), rawEntry(packageJson))),
    'version 1.2.3',
    'without the two empty blocks at its end',
  )
})

const deep = `${'a/'.repeat(49)}x`
const surplus: Readonly<Record<string, readonly RawEntry[]>> = {
  'an absolute path': [{ name: '/etc/cron.d/x', content: 'x' }],
  'a path that climbs': [{ name: '../../etc/passwd', content: 'x' }],
  'a path that climbs from within': [{ name: 'bin/../../x', content: 'x' }],
  'a symbolic link out of it, and a file through it': [
    { name: 'bin', type: '2', target: '/etc' },
    { name: 'bin/node', content: 'a program' },
  ],
  'a relative link that climbs': [{ name: 'bin', type: '2', target: '../../etc' }],
  'a hard link': [{ name: 'bin/node', type: '1', target: '/etc/passwd' }],
  'a character device': [{ name: 'bin/node', type: '3' }],
  'a block device': [{ name: 'bin/node', type: '4' }],
  'a pipe': [{ name: 'bin/node', type: '6' }],
  'a folder': [{ name: 'bin/', type: '5' }],
  'a contiguous file': [{ ...node, type: '7' }],
  'a file of a type that nobody knows': [{ ...node, type: 'Z' }],
  'a name that is there twice': [node, node],
  'a name that differs in case': [{ ...node, name: 'bin/Node' }],
  'a newline in a name': [{ ...node, name: 'bin/node\n' }],
  'a backslash in a name': [{ ...node, name: 'bin\\node' }],
  '49 levels': [{ name: deep, content: 'x' }],
  'a NUL in a PAX name': [{ name: 'x', type: 'x', content: paxLine('path', 'bin/node\0.txt') }, node],
  'another name in a PAX header': [{ name: 'x', type: 'x', content: paxLine('path', '/etc/passwd') }, node],
  'another name for all by a global header': [
    { name: 'x', type: 'g', content: paxLine('path', '../x') },
    { name: 'x', type: 'x', content: paxLine('comment', 'x') },
    node,
  ],
  'another name as GNU writes it': [{ name: 'x', type: 'L', content: '../x\0' }, node],
  'files in another order': [packageJson, node],
}
for (const [what, entries] of Object.entries(surplus))
  test(`refused where the first file has to come: ${what}`, async () => {
    const found = await judged(await archive([...entries, packageJson]))

    assert.match(found, /^update.refused: .*it holds the .* where the file (bin\/node|package.json) has to come$/)
  })

const twisted: Readonly<Record<string, readonly [RawEntry, RegExp]>> = {
  'a program with set-uid': [{ ...node, mode: 0o4755 }, /bin\/node has the rights 4755/],
  'a file that became a program': [{ ...node, mode: 0o644 }, /bin\/node has the rights 644/],
  'more bytes than were signed': [{ ...node, content: 'a program!' }, /bin\/node has 10 bytes in it, and 9/],
  'other bytes than were signed': [{ ...node, content: 'A program' }, /the content of bin\/node is not what/],
  'another size in a PAX header than in the header itself': [
    { name: 'x', type: 'x', content: paxLine('size', '5000000') },
    /bin\/node has 5000000 bytes in it/,
  ],
  '2^40 bytes': [{ ...node, size: Buffer.from([0x80, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]) }, /has 1099511627776 bytes in/],
  'a size of twenty digits': [{ ...node, size: Buffer.from([0x80, ...Array(11).fill(0xff)]) }, /bytes in it|cannot be/],
  'a negative size': [{ ...node, size: Buffer.alloc(12, 0xff) }, /bytes in it|cannot be read/],
  'a checksum that is wrong': [{ ...node, wrongBy: 1 }, /cannot be read: Invalid tar header/],
}
for (const [what, [entry, message]] of Object.entries(twisted))
  test(`refused: ${what}`, async () => {
    const found = await judged(await archive(entry.type === 'x' ? [entry, node, packageJson] : [entry, packageJson]))

    assert.match(found, /^update.refused: the bundle is refused: /)
    assert.match(found, message)
  })

const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'an absolute path': { '/etc/passwd': 'x' },
  'a path that climbs': { 'a/../../x': 'x' },
  'a newline': { 'a\nb': 'x' },
  'a NUL': { 'a\0b': 'x' },
  '49 levels': { [deep]: 'x' },
  'names that differ in case': { 'bin/node': 'x', 'bin/NODE': 'x' },
  'a file that is a folder too': { bin: 'x', 'bin/node': 'x' },
  'the mark of a version that is whole': { complete: 'x' },
}
for (const [what, files] of Object.entries(names))
  test(`refused even where its maker has signed it: ${what}`, async () => {
    const found = await judged(await archive(entriesOf(manifestOf(files), files), manifestOf(files)))

    assert.match(found, /^update.refused: the bundle is refused: (the name|the folders|bin is a file and a folder)/)
  })

test('refused even where its maker has signed it: a name that is there twice', async () => {
  const twice: ReleaseManifest = { ...manifest, files: manifest.files.flatMap((file) => [file, file]) }

  assert.match(
    await judged(await archive([node, node, packageJson, packageJson], twice)),
    /bin\/node stands in it twice/,
  )
})

test('a file that is missing, and one too many', async () => {
  assert.match(await judged(await archive([node])), /ends where the file package.json has to come$/)
  assert.match(
    await judged(await archive([node, packageJson, { name: 'x', content: 'x' }])),
    /it holds the file "x", which its manifest does not name$/,
  )
  assert.match(await judged(await archive([node, packageJson, { name: 'x/', type: '5' }])), /holds the directory "x/)
})

test('200,000 empty entries end at the first one', async () => {
  const one = rawEntry({ name: 'x', content: '' })
  const many = Buffer.alloc(200_000 * one.length, one)

  const found = await judged(await bundleOf(signedBeginning(manifest, [key]), many))

  assert.match(found, /it holds the file "x" where the file bin\/node has to come$/)
})

test('what unpacks to more than its manifest says ends there: before, between and behind the files', async () => {
  const zero = Buffer.alloc(1024 ** 2)
  const zeros = Array.from({ length: 512 }, () => zero)
  const bombs = [
    [...zeros],
    [signedBeginning(manifest, [key]), ...zeros],
    [signedBeginning(manifest, [key]), rawEntry(node), rawEntry(packageJson), ...zeros],
  ]
  for (const bomb of bombs) {
    const bundle = await bundleOf(...bomb)
    const before = process.resourceUsage().maxRSS
    assert.match(await judged(bundle), /it unpacks to more than its manifest says$/)
    const grown = (process.resourceUsage().maxRSS - before) / 1024
    assert.ok(grown < 64, `grew by ${grown} MiB`)
  }
})

test('headers before the manifest and between the files count as well', async () => {
  const pax = rawEntry({ name: 'x', type: 'x', content: paxLine('comment', 'x'.repeat(60_000)) })
  const many = Array.from({ length: 1_000 }, () => pax)

  assert.match(await judged(await bundleOf(...many)), /it unpacks to more than/)
  assert.match(await judged(await bundleOf(signedBeginning(manifest, [key]), ...many)), /it unpacks to more than/)
})

test('a PAX header of 64 MB, a manifest of 9 MB and signatures of 65 kB are too large', async () => {
  const pax = rawEntry({ name: 'x', type: 'x', content: paxLine('comment', 'x'.repeat(64_000_000)) })
  const large = { ...manifest, version: `1.2.3-${'x'.repeat(9_000_000)}` }
  const many = rawEntry({ name: 'signatures.json', content: JSON.stringify(Array(1_000).fill('x'.repeat(65))) })

  assert.match(await judged(await bundleOf(pax)), /Header exceeds max size|unpacks to more/)
  assert.match(await judged(await bundleOf(signedBeginning(manifest, [key]), pax)), /Header exceeds max size/)
  assert.match(await judged(await archive([], large)), /its release.json has more than 8388608 bytes/)
  assert.match(
    await judged(await bundleOf(rawEntry({ name: 'release.json', content: '{}' }), many)),
    /its signatures.json has more than 65536 bytes/,
  )
})

test('nothing is believed before the manifest and its signatures, in this order', async () => {
  const [bytes, signatures] = ['release.json', 'signatures.json'].map((name) => rawEntry({ name, content: '{}' }))

  assert.match(await judged(await bundleOf(TAR_END)), /ends where the file release/)
  assert.match(await judged(await bundleOf(rawEntry(node))), /where the file release.json has to come$/)
  assert.match(await judged(await bundleOf(signatures as Buffer, bytes as Buffer)), /file release.json has to come$/)
  assert.match(await judged(await bundleOf(bytes as Buffer, rawEntry(node))), /the file signatures.json has to come$/)
  assert.match(await judged(await bundleOf(bytes as Buffer)), /ends where the file signatures.json has to come$/)
})

test('an archive that is cut within a file ends it, also where its size is what was signed', async () => {
  const cut = rawEntry(node).subarray(0, 515)

  assert.match(await judged(await bundleOf(signedBeginning(manifest, [key]), cut)), /cannot be read: Unexpected end/)
  const [file] = manifest.files
  const large = { ...manifest, files: [{ ...file, bytes: 2 ** 31 }] }
  const header = rawEntry({ ...node, size: '20000000000 ' })
  assert.match(await judged(await bundleOf(signedBeginning(large, [key]), header)), /cannot be read: Unexpected end/)
})

test('no bundle may ask for another window than all have', async () => {
  const params = { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_checksumFlag]: 1 }
  const frame = Readable.from([rawEntry(node)]).pipe(createZstdCompress({ params }))

  assert.match(await judged(closed(Buffer.concat(await frame.toArray()))), /it is no bundle of a release/)
})

test('nothing may stand between the archive and the closing frame', async () => {
  const whole = (await archive([node, packageJson])).subarray(0, -40)

  for (const more of [Buffer.from('x'), Buffer.alloc(300_000), await bundleOf(rawEntry(node)), whole])
    assert.match(
      await judged(closed(Buffer.concat([whole, more]))),
      /goes on behind the end of its archive$|Unknown frame descriptor$/,
    )
})

test('what is no bundle at all is called so', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('hsqs'), Buffer.from('PK\x03\x04'.padEnd(4_000)), TAR_END])
    assert.match(await judged(bytes), /it is no bundle of a release/)
  assert.equal(readFileSync(path).length, TAR_END.length)
})
