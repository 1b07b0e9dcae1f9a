// Which items must stay since a stream plays them, and what it costs to find out.
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import { usedByStreams } from '../../../native/media/in-use.ts'
import type { Lifetime } from '../../support/lifetime.ts'
import { folderOf } from '../../support/processes/folder.ts'

/** Items in a folder, and a stream that shows pictures by their paths. */
const lab = (t: Lifetime, paths: (folder: string) => readonly string[]) => {
  const folder = folderOf(t)
  for (const name of ['a.png', 'b.png']) writeFileSync(join(folder, name), name)
  mkdirSync(join(folder, 'elsewhere'))
  symlinkSync(folder, join(folder, 'elsewhere', 'folder'))
  symlinkSync(join(folder, 'a.png'), join(folder, 'elsewhere', 'link.png'))
  const calls: string[] = []
  const disk = {
    realpath: (path: string) => {
      calls.push(path)
      return realpath(path)
    },
    readdir: (path: string) => {
      calls.push(path)
      return readdir(path, { withFileTypes: true })
    },
  }
  const canonical = canonicalManifest({ id: 'front', source: { backend: 'images', path: [...paths(folder)] } })
  if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
  const inUse = usedByStreams(
    () => [canonical.manifest],
    () => undefined,
    disk,
  )
  return { calls, isUsed: async (name: string) => (await inUse(name, join(folder, name)))?.code === 'media.in_use' }
}

test('an item is in use by its path, through a link to it, and through one to its folder', async (t) => {
  for (const path of ['a.png', 'elsewhere/link.png', 'elsewhere/folder/a.png']) {
    const { isUsed } = lab(t, (folder) => [join(folder, path), join(folder, 'missing', 'b.png')])
    assert.deepEqual([await isUsed('a.png'), await isUsed('b.png')], [true, false], path)
  }
})

test('a long list costs a few looks at the disk, and not one for each of its files', async (t) => {
  const { isUsed, calls } = lab(t, (folder) => [
    ...Array.from({ length: 10_000 }, (_, n) => join(folder, `picture-${n}.png`)),
    join(folder, 'elsewhere', 'link.png'),
  ])

  assert.deepEqual([await isUsed('b.png'), await isUsed('a.png')], [false, true])
  assert.ok(calls.length <= 20, `${calls.length} looks`)
})
