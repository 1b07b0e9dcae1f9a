import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TableOwner, tablesFor } from '../../../machines/extcam/table.ts'

const stream = (id: string, rest: Partial<TableOwner> = {}): TableOwner => ({
  id,
  alias: id,
  internal: false,
  enabled: true,
  ...rest,
})

const tables = (...streams: TableOwner[]) => Object.fromEntries(tablesFor(streams))

test('the first stream is limelight, the others have their alias behind it', () => {
  const claims = tables(
    stream('front'),
    stream('rear', { alias: 'Kamera hinten (Süd)' }),
    stream('x9', { alias: '???' }),
  )

  assert.deepEqual(claims, {
    front: { table: 'limelight' },
    rear: { table: 'limelight-kamera-hinten-sud' },
    x9: { table: 'limelight-x9' },
  })
})

test('internal and disabled streams have no table, and disabling one renames no other', () => {
  const claims = tables(
    stream('lab', { internal: true }),
    stream('front', { enabled: false }),
    stream('rear'),
    stream('left', { extcam: { enabled: false } }),
  )

  assert.deepEqual(claims, { rear: { table: 'limelight-rear' } })
})

test('a table that was asked for wins over a default one', () => {
  const claims = tables(
    stream('front'),
    stream('rear'),
    stream('left', { extcam: { enabled: true, table: 'limelight' } }),
  )

  assert.deepEqual(claims, {
    front: { table: 'limelight-2' },
    rear: { table: 'limelight-rear' },
    left: { table: 'limelight' },
  })
})

test('of two streams that ask for the same table the later one is parked with the reason', () => {
  const asking = { extcam: { enabled: true, table: 'turret' } }
  const claims = tables(stream('front', asking), stream('rear', asking), stream('left', { ...asking, enabled: false }))

  assert.deepEqual(claims.front, { table: 'turret' })
  assert.match((claims.rear as { parked: string }).parked, /turret belongs to the stream front; set another/)
  assert.equal(claims.left, undefined)
})

test('aliases that come to the same name are told apart by a number', () => {
  const claims = tables(
    stream('a'),
    stream('b', { alias: 'Cam 1' }),
    stream('c', { alias: 'cam-1' }),
    stream('d', { alias: 'CAM_1' }),
  )

  assert.deepEqual(claims, {
    a: { table: 'limelight' },
    b: { table: 'limelight-cam-1' },
    c: { table: 'limelight-cam-1-2' },
    d: { table: 'limelight-cam_1' },
  })
})

test('a default table is one that a user could have set, however long the alias', () => {
  const claims = tablesFor([
    stream('a'),
    stream('b', { alias: 'ß★ '.repeat(20) }),
    stream('c', { alias: 'x'.repeat(60) }),
  ])

  for (const claim of claims.values()) assert.match((claim as { table: string }).table, /^[A-Za-z0-9_-]{1,60}$/)
})
