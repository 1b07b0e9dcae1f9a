// Packages that mean harm: each is refused with a sentence, leaves nothing behind, and takes little memory.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { isFault } from '../../../../machines/errors/fault.ts'
import { MANIFEST_NAME, MAX_PACKAGE_BYTES } from '../../../../machines/plugins/package/rules.ts'
import { projectPath } from '../../../../native/files/project-root.ts'
import { childWorker } from '../../../../native/plugins/packages/child-worker.ts'
import { packageWorker } from '../../../../native/plugins/packages/unpack.ts'
import { shortOrLong } from '../../../support/long.ts'
import { arriving, manifestOf, packageOf } from '../../../support/plugins/packages.ts'
import { type RawEnd, type RawEntry, rawZip } from '../../../support/plugins/raw-zip.ts'
import { packagesIn } from '../../../support/plugins/store.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const MANIFEST: RawEntry = { name: MANIFEST_NAME, content: Buffer.from(JSON.stringify(manifestOf())) }
const TEXT = Buffer.from('print("hello")\n')

const zip = (...entries: readonly RawEntry[]): Buffer => rawZip([MANIFEST, ...entries])
const ended = (end: RawEnd, ...entries: readonly RawEntry[]): Buffer => rawZip([MANIFEST, ...entries], end)
const named = (name: string): Buffer => zip({ name, content: TEXT })
const packedZeros = new Map<number, Buffer>()

const zeros = (bytes: number): Buffer => {
  const packed = packedZeros.get(bytes) ?? deflateRawSync(Buffer.alloc(bytes))
  packedZeros.set(bytes, packed)
  return packed
}

const MB = 1024 * 1024
const otherName = Buffer.concat([Buffer.from([0x75, 0x70, 6, 0, 1, 0, 0, 0, 0]), Buffer.from('x')])

/** Packages, and what the refusal says. */
const HOSTILE: Readonly<Record<string, readonly [bytes: () => Buffer, says: RegExp]>> = {
  'a link': [() => zip({ name: 'a', content: Buffer.from('/etc/passwd'), mode: 0o120777 }), /"a" is a link/],
  'a device': [() => zip({ name: 'a', mode: 0o020666 }), /is no file and no folder/],
  'a pipe': [() => zip({ name: 'a', mode: 0o010666 }), /is no file and no folder/],
  'a folder that is a file': [() => zip({ name: 'a', mode: 0o040755 }), /a file and a folder at once/],
  'a folder with content': [() => zip({ name: 'a/', content: TEXT, mode: 0o040755 }), /the folder "a\/" has content/],
  'a name above its folder': [() => named('../a'), /"\.\.\/a" has an empty part, or one that is \. or \.\./],
  'a name above it in the middle': [() => named('a/../../b'), /has an empty part/],
  'an absolute name': [() => named('/etc/cron.d/a'), /has an empty part/],
  'a name of another system': [() => named('C:\\a'), /has other characters/],
  'a name with NUL': [() => named('a\0.py'), /has other characters/],
  'a name with a newline': [() => named('a\nb'), /has other characters/],
  'a name of no letters': [() => named(''), /has other characters/],
  'a name of bytes that are no text': [() => named('\xff\xfe'), /has other characters/],
  'a very long name': [() => named('a'.repeat(60_000)), /more than 200 characters/],
  'very many folders': [() => named(`${'a/'.repeat(90)}b`), /more than 16 folders/],
  'names that differ in case': [
    () => zip({ name: 'a.py', content: TEXT }, { name: 'A.py', content: TEXT }),
    /stands in it twice, but for the case/,
  ],
  'folders that differ in case': [
    () => zip({ name: 'lib/a', content: TEXT }, { name: 'Lib/b', content: TEXT }),
    /differ only in the case/,
  ],
  'a file that is a folder as well': [
    () => zip({ name: 'a', content: TEXT }, { name: 'a/b', content: TEXT }),
    /is a file and a folder in it/,
  ],
  'the same name twice': [
    () => zip({ name: 'a', content: TEXT }, { name: 'a', content: Buffer.from('other') }),
    /twice/,
  ],
  'another name beside its name': [() => zip({ name: 'a', content: TEXT, extra: otherName }), /has another name/],
  'an encrypted file': [() => zip({ name: 'a', content: TEXT, flags: 1 }), /is encrypted/],
  'a strongly encrypted file': [() => zip({ name: 'a', content: TEXT, flags: 0x41 }), /encrypt/],
  'masked headers': [() => zip({ name: 'a', content: TEXT, flags: 0x2000 }), /is encrypted/],
  'another way of packing': [() => zip({ name: 'a', content: TEXT, method: 12 }), /packed in a way \(12\)/],
  'a wrong sum': [() => zip({ name: 'a', content: TEXT, crc: 7 }), /not what its sum says/],
  'a wrong sum of the manifest': [() => rawZip([{ ...MANIFEST, crc: 7 }]), /not what its sum says/],
  'content that is no deflate': [
    () => zip({ name: 'a', content: TEXT, packed: Buffer.from('nothing of the kind') }),
    /cannot be unpacked/,
  ],
  'more content than it says': [() => zip({ name: 'a', content: TEXT, bytes: 3 }), /too many bytes/],
  'less content than it says': [() => zip({ name: 'a', content: TEXT, bytes: 300 }), /not enough bytes/],
  'another name in its own header': [
    () => zip({ name: 'a', content: TEXT, local: { name: 'b' } }),
    /has the name "b" in its own header/,
  ],
  'another way of packing in its own header': [
    () => zip({ name: 'a', content: TEXT, local: { method: 0 } }),
    /says something else than the directory/,
  ],
  'another size in its own header': [
    () => zip({ name: 'a', content: TEXT, local: { bytes: 3 } }),
    /says something else than the directory/,
  ],
  'an entry in another': [() => nested(), /"b" lies over another file/],
  'one content for two files': [() => overlapping(2), /has the name "a" in its own header/],
  'bytes between files': [() => zip({ name: 'a', content: TEXT, gap: Buffer.alloc(40, 7) }), /that belong to no file/],
  'a program before it': [() => Buffer.concat([Buffer.from('#!/bin/sh\n'), zip()]), /is no zip file/],
  'bytes behind it': [() => ended({ behind: Buffer.from('more') }), /cannot be read/],
  'an end in its comment': [() => ended({ comment: endIn(30) }), /two ends|cannot be read/],
  'a directory elsewhere': [() => ended({ directoryShift: -9 }), /cannot be read/],
  'fewer entries than there are': [
    () => ended({ count: 1 }, { name: 'a', content: TEXT }),
    /does not reach to its end/,
  ],
  'more entries than there are': [() => ended({ count: 9 }), /cannot be read/],
  'too many entries': [() => ended({ count: 60_000 }), /60000 entries, and a package may have 2000/],
  'a bomb by its size': [
    () => zip(...[1, 2, 3].map((n) => ({ name: `a${n}`, content: Buffer.alloc(0), ...bombOf(90 * MB) }))),
    /unpacks to/,
  ],
  'a bomb by its ratio': [() => zip({ name: 'a', ...bombOf(8 * MB) }), /more than 200 times/],
  'a bomb that lies of its size': [
    () => zip({ name: 'a', packed: zeros(64 * MB), bytes: 1000, crc: 0, local: {} }),
    /too many bytes/,
  ],
  'a zip for more than 4 GB': [() => zip({ name: 'a', content: TEXT, bytes: 0xffffffff }), /Zip64/],
  'a manifest of a megabyte': [
    () => rawZip([{ name: MANIFEST_NAME, content: Buffer.alloc(MB, ' '), method: 0 }]),
    /more than 131072 bytes/,
  ],
  'a manifest below others': [
    () =>
      rawZip([
        { ...MANIFEST, name: `note/${MANIFEST_NAME}` },
        { name: 'a', content: TEXT },
      ]),
    /no vedette-plugin.json at/,
  ],
  'a folder above it that leads elsewhere': [
    () =>
      rawZip([
        { ...MANIFEST, name: `../${MANIFEST_NAME}` },
        { name: '../../a', content: TEXT },
      ]),
    /has an empty part/,
  ],
  'a manifest that is no JSON': [() => rawZip([{ name: MANIFEST_NAME, content: TEXT }]), /is no JSON/],
  'a manifest with a thousand levels': [() => rawZip([{ name: MANIFEST_NAME, content: deep(50_000) }]), /16 levels/],
  nothing: [() => rawZip([]), /is no zip file/],
  'no bytes': [() => Buffer.alloc(0), /is no zip file/],
  'half a zip': [() => zip({ name: 'a', content: TEXT }).subarray(0, 120), /cannot be read/],
}

const bombOf = (bytes: number) => ({ packed: zeros(bytes), bytes, crc: 0 })

const deep = (levels: number): Buffer => Buffer.from('['.repeat(levels) + ']'.repeat(levels))

const endIn = (bytes: number): Buffer => {
  const comment = Buffer.alloc(bytes, 'x')
  comment.write('PK\x05\x06', 2, 'latin1')
  return comment
}

/** Entries that all say that they lie where the first one does. */
const overlapping = (count: number): Buffer => {
  const first: RawEntry = { name: 'a', content: TEXT }
  const length = rawZip([first]).length - rawZip([{ ...first, isGhost: true }]).length
  return zip(first, ...Array.from({ length: count }, () => ({ ...first, name: 'b', isGhost: true, shift: -length })))
}

/** A file whose content is another file, header and all. */
const nested = (): Buffer => {
  const whole = rawZip([{ name: 'b', content: TEXT }])
  const inner = whole.subarray(0, whole.indexOf('PK\x01\x02'))
  return zip(
    { name: 'a', content: inner, method: 0 },
    { name: 'b', content: TEXT, isGhost: true, shift: -inner.length },
  )
}

for (const [what, [bytes, says]] of Object.entries(HOSTILE))
  test(`a package with ${what} is refused with a sentence, and leaves nothing behind`, async (t) => {
    const folder = folderOf(t)
    const store = packagesIn(folder, packageWorker)

    const found = await store.receive(arriving(bytes()))

    assert.ok(isFault(found), JSON.stringify(found))
    assert.equal(found.code, 'plugin.refused')
    assert.match(found.detail, /^the package is refused: /)
    assert.match(found.detail, says)
    assert.ok(found.detail.length < 400, found.detail)
    for (const each of ['incoming', 'uploads', 'installed']) assert.deepEqual(namesIn(join(folder, each)), [], each)
  })

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

test('more than 64 MB are not taken, whether that is said before or not', async (t) => {
  const folder = folderOf(t)
  const store = packagesIn(folder, packageWorker)
  const large = Buffer.alloc(MAX_PACKAGE_BYTES + 1)

  const said = await store.receive({ ...arriving(Buffer.alloc(1)), length: large.length })
  const sent = await store.receive({ body: arriving(large).body, length: undefined })

  for (const found of [said, sent]) assert.ok(isFault(found) && found.code === 'body.too_large')
  assert.deepEqual(namesIn(join(folder, 'incoming')), [])
})

test('whatever bytes of a package are others, it is refused or is what it was', async (t) => {
  const folder = folderOf(t)
  const whole = await packageOf({}, { 'main.py': TEXT, 'lib/a.py': 'x = 1\n', 'lib/b.bin': Buffer.alloc(900, 5) })
  const path = join(folder, 'package.zip')
  let refused = 0

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 }),
      async (changes) => {
        const bytes = Buffer.from(whole)
        for (const [at, value] of changes) bytes[at] = value
        writeFileSync(path, bytes)

        const found = await packageWorker.inspect(path)

        if (isFault(found)) {
          assert.equal(found.code, 'plugin.refused', JSON.stringify(found))
          refused += 1
        } else assert.equal(found.manifest.minimum_api, 1)
      },
    ),
    { seed: 351, numRuns: shortOrLong(200, 5_000) },
  )

  assert.ok(refused > 40, `${refused} were refused`)
})

const CHILD = projectPath('native/plugins/packages/child.ts')

/** What a child took of memory at most, in kilobytes. */
const peakOf = async (path: string, into: string): Promise<{ readonly peakKb: number; readonly said: string }> => {
  const script = `
    process.on('exit', () => require('node:fs').writeSync(2, String(process.resourceUsage().maxRSS)))
    import(process.argv[1])`
  const child = promisify(execFile)(process.execPath, ['--max-old-space-size=64', '-e', script, CHILD, path, into])
  const { stdout, stderr } = await child
  return { peakKb: Number(stderr), said: stdout }
}

const MAX_MORE_KB = 48 * 1024 // inflating holds pieces of 64 KiB; the rest is garbage of names

test('a bomb, a million entries and a large package take no more memory than a small one does, by 48 MB', async (t) => {
  const folder = folderOf(t)
  const peak = async (name: string, bytes: Buffer) => {
    const path = join(folder, `${name}.zip`)
    mkdirSync(join(folder, name))
    writeFileSync(path, bytes)
    return (await peakOf(path, join(folder, name, 'content'))).peakKb
  }
  const noise = Buffer.from(Array.from({ length: 4 * MB }, (_, n) => (n * 2_654_435_761) >>> 13))
  const small = await peak('small', await packageOf())

  const peaks = {
    bomb: await peak('bomb', zip({ name: 'a', packed: zeros(90 * MB), bytes: 1000, crc: 0 })),
    large: await peak(
      'large',
      zip(...Array.from({ length: 12 }, (_, n) => ({ name: `f${n}`, content: noise, method: 0 }))),
    ),
    many: await peak('many', manyEntries(shortOrLong(100_000, 1_000_000))),
  }

  t.diagnostic(JSON.stringify({ small, ...peaks }))
  for (const [name, kb] of Object.entries(peaks)) assert.ok(kb < small + MAX_MORE_KB, `${name}: ${kb} kB, ${small} kB`)
})

/** Said to be two thousand, which may be. */
const manyEntries = (count: number): Buffer => {
  const one = rawZip([{ name: 'a' }])
  const directory = one.subarray(one.indexOf('PK\x01\x02'), one.indexOf('PK\x05\x06'))
  const end = Buffer.from(one.subarray(one.indexOf('PK\x05\x06')))
  end.writeUInt16LE(2_000, 8)
  end.writeUInt16LE(2_000, 10)
  end.writeUInt32LE(directory.length * count, 12)
  const local = one.subarray(0, one.indexOf('PK\x01\x02'))
  return Buffer.concat([local, ...Array.from({ length: count }, () => directory), end])
}

test('a child that is stopped by its limit refuses the package', async (t) => {
  const folder = folderOf(t)
  const path = join(folder, 'package.zip')
  writeFileSync(path, await packageOf())

  const found = await childWorker(1).inspect(path)

  assert.ok(isFault(found) && found.code === 'plugin.refused')
  assert.match(found.detail, /was not unpacked within/)
})
