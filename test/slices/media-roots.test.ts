// A service that strangers may command reads the pictures it was given, and no other file of the device.
import assert from 'node:assert/strict'
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { grayPng } from '../support/media/png.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'

const pictures = (folder: string): string => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'a.png'), grayPng(64, 48))
  return folder
}

const create = (daemon: Daemon, id: string, path: string, token?: string) =>
  daemon.send('POST', '/v1/streams', { id, source: { backend: 'images', path, fps: 20 } }, token)

test('pictures are read from the roots alone; a token opens more for one stream, also after a restart', async (t) => {
  const elsewhere = pictures(join(realpathSync(folderOf(t)), 'pictures'))
  const media = realpathSync(folderOf(t))
  const { dataDir, start } = site(t)
  const flags = { profile: 'field', 'media-roots': media } as const
  const first = await start(flags)
  const token = first.log.map(({ message }) => /told only this once: (\S+)/.exec(message)?.[1]).find(Boolean)

  assert.equal((await create(first, 'data', pictures(join(dataDir, 'pictures')))).status, 200)
  assert.equal((await create(first, 'named', pictures(join(media, 'pictures')))).status, 200)
  const refused = await create(first, 'other', elsewhere)
  const nothing = join(elsewhere, 'nothing')
  const missing = await create(first, 'other', nothing)
  const sentence = JSON.stringify(missing.body.errors).replace(nothing, elsewhere)
  assert.deepEqual([refused.status, JSON.stringify(refused.body.errors)], [422, sentence])
  assert.equal((await create(first, 'other', elsewhere, token)).status, 200)
  for (const id of ['data', 'named', 'other']) await first.stream(id, 'live')

  await first.end('SIGKILL')
  const second = await start(flags)
  for (const id of ['data', 'named', 'other']) await second.stream(id, 'live')
})

test('a folder that becomes a link to another place is not read any more', async (t) => {
  const elsewhere = pictures(join(realpathSync(folderOf(t)), 'pictures'))
  const { dataDir, start } = site(t)
  const folder = pictures(join(dataDir, 'pictures'))
  const daemon = await start()
  await create(daemon, 'front', folder)
  await daemon.stream('front', 'live')

  rmSync(folder, { recursive: true })
  symlinkSync(elsewhere, folder)
  await daemon.end('SIGKILL')
  const next = await start()
  const { status } = await next.stream('front', 'backing-off')

  assert.equal(status.fault?.code, 'media.not_allowed')
  assert.ok(status.fault?.detail.startsWith(folder))
})
