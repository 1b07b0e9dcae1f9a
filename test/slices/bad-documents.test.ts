// Stored documents that do not fit: each is set aside alone and told of, and all else runs.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { site } from '../support/processes/daemon.ts'

const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } as const

/** Does something to the settings file while no service has it. */
const tamper = (dataDir: string, work: (db: DatabaseSync) => void): void => {
  const db = new DatabaseSync(join(dataDir, 'vedette.db'))
  db.exec('PRAGMA ignore_check_constraints = ON')
  work(db)
  db.close()
}

test('stored documents that do not fit are set aside one by one, and the service starts with all others', async (t) => {
  const { start, dataDir } = site(t)
  const first = await start()
  for (const id of ['front', 'left', 'right', 'rear']) await first.addStream({ id, source })
  assert.equal((await first.send('POST', '/v1/device/nt4', { client_name: 'kept' })).status, 204)
  await first.end('SIGTERM')
  tamper(dataDir, (db) => {
    const change = db.prepare('UPDATE documents SET value = json_set(value, ?, json(?)) WHERE id = ?')
    change.run('$.alias', '{"a":1}', 'left')
    change.run('$.source', '5', 'right')
    db.exec(`UPDATE documents SET value = 'this is no JSON', revision = 7 WHERE id = 'rear'`)
    const plant = db.prepare(
      'INSERT INTO documents (collection, id, revision, value) SELECT ?, ?, ?, value FROM documents WHERE id = ?',
    )
    plant.run('streams', '../../x', 1, 'front')
    plant.run('streams', '__proto__', 1, 'front')
    plant.run('streams', 'never', -3, 'front')
    plant.run('streams', 'huge', 2n ** 62n, 'front')
    plant.run('hats', 'bowler', 3, 'front')
    db.prepare(`UPDATE documents SET value = ? WHERE collection = 'nt4'`).run('{"target":"team:0"}')
  })

  const second = await start({ demo: '1' })

  const { items: streams } = await second.get<{ items: { id: string }[] }>('/v1/streams')
  assert.deepEqual(
    streams.map(({ id }) => id),
    ['front'],
  )
  await second.stream('front', 'live')
  assert.equal((await second.get<{ spec: { target: string } }>('/v1/device/nt4')).spec.target, 'off')
  const { detail } = await second.error('storage.document_invalid', 'streams/left')
  assert.match(detail, /streams\/left.*\/alias.*set aside/)
  for (const id of ['right', 'rear', '../../x', '__proto__', 'never', 'huge'])
    await second.error('storage.document_invalid', `streams/${id}`)
  await second.error('storage.document_invalid', 'nt4/nt4')

  const again = await second.send('POST', '/v1/streams', { id: 'rear', source })
  assert.equal(again.status, 200)
  assert.ok((again.body as { revision: number }).revision > 7)
  await second.end('SIGTERM')

  tamper(dataDir, (db) => {
    const aside = db.prepare('SELECT collection, id, value FROM set_aside ORDER BY rowid').all()
    assert.equal(aside.length, 8)
    assert.deepEqual(
      { ...aside.find(({ id }) => id === 'rear') },
      {
        collection: 'streams',
        id: 'rear',
        value: 'this is no JSON',
      },
    )
    const hats = db.prepare(`SELECT id, revision FROM documents WHERE collection = 'hats'`).all()
    assert.deepEqual({ ...hats[0] }, { id: 'bowler', revision: 3 })
    // As if the service had learned what to make of it.
    db.exec(`UPDATE set_aside SET value = json_set(value, '$.alias', 'Left') WHERE id = 'left'`)
  })
  const third = await start()
  assert.deepEqual(
    (await third.get<{ items: { id: string }[] }>('/v1/streams')).items.map(({ id }) => id),
    ['front', 'rear', 'left'],
  )
  await third.stream('left', 'live')
  const restored = await third.error('storage.document_restored', 'streams/left')
  assert.match(restored.detail, /had been set aside, fits now and is used again/)
})
