// Where paths lead on a real file system.
import assert from 'node:assert/strict'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { filesOfRoots } from '../../../native/media-roots/files.ts'
import { folderOf } from '../../support/processes/folder.ts'

const place = (path: string) => filesOfRoots([]).realPlace(path)
const realFolder = (t: TestContext) => realpathSync(folderOf(t))

test('links are followed to the place itself', async (t) => {
  const folder = realFolder(t)
  mkdirSync(join(folder, 'deep'))
  writeFileSync(join(folder, 'deep', 'a.png'), '')
  symlinkSync('deep', join(folder, 'shallow'))

  assert.equal(await place(join(folder, 'shallow', 'a.png')), join(folder, 'deep', 'a.png'))
  assert.equal(await place(`${folder}//shallow/`), join(folder, 'deep'))
})

test('what is not there yet keeps its name below the folder that is', async (t) => {
  const folder = realFolder(t)
  symlinkSync(folder, join(folder, 'self'))

  assert.equal(await place(join(folder, 'self', 'to', 'come.png')), join(folder, 'to', 'come.png'))
  assert.equal(await place('/nowhere/at/all'), '/nowhere/at/all')
})

test('a link that leads nowhere has no place, nor has one that leads to itself', async (t) => {
  const folder = realFolder(t)
  symlinkSync(join(folder, 'nothing'), join(folder, 'dangling'))
  symlinkSync('circle', join(folder, 'circle'))

  assert.equal(await place(join(folder, 'dangling')), null)
  assert.equal(await place(join(folder, 'dangling', 'a.png')), null)
  assert.equal(await place(join(folder, 'circle', 'a.png')), null)
})

test('a root is known by its name and by its place, also before it is there', async (t) => {
  const folder = realFolder(t)
  symlinkSync(folder, join(folder, 'link'))

  assert.deepEqual(await filesOfRoots([join(folder, 'link'), join(folder, 'usb')]).roots(), [
    { named: join(folder, 'link'), real: folder },
    { named: join(folder, 'usb'), real: join(folder, 'usb') },
  ])
})
