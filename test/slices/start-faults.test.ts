// Everything that can be wrong when the service is started: it says so in a sentence and leaves all as it was.
import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { nt4Lab } from '../support/nt4/nt4.ts'
import { site } from '../support/processes/daemon.ts'
import { smallDisk } from '../support/processes/small-disk.ts'
import { until } from '../support/until.ts'

const EXIT = { tryLater: 75, badConfiguration: 78 }

test('a port or a folder that another service has is left to that one', async (t) => {
  const { start, dataDir } = site(t)
  const running = await start()
  const [, port] = /:(\d+)$/.exec(running.url) as RegExpExecArray

  const [samePort, sameFolder] = await Promise.all([
    site(t).attempt({ http: `127.0.0.1:${port}` }),
    site(t).attempt({ 'data-dir': dataDir }),
  ])

  assert.equal(samePort.code, EXIT.tryLater)
  assert.match(samePort.output, new RegExp(`127\\.0\\.0\\.1:${port} is taken by another program; `))
  assert.equal(sameFolder.code, EXIT.tryLater)
  assert.match(sameFolder.output, /vedette\.db is in use by another process; /)
  assert.equal((await running.send('POST', '/v1/device/nt4', { client_name: 'still-here' })).status, 204)
})

test('a port for the robot that another program has is waited for, and all else runs', async (t) => {
  const lab = nt4Lab(t)
  const taken = await lab.serve()
  const daemon = await site(t).start({ nt4: `serve:127.0.0.1:${taken.port}`, demo: '1' })

  const { detail } = await daemon.error('nt4.port_taken', '')
  assert.match(detail, new RegExp(`127\\.0\\.0\\.1:${taken.port}: another program does; `))
  await daemon.stream('demo', 'live')

  await lab.end(taken)
  const read = () => daemon.get<{ status: { connected: boolean } }>('/v1/device/nt4')
  await until('the link', read, ({ status }) => status.connected)
})

test('a setting that makes no sense is named', async (t) => {
  const { attempt, dataDir } = site(t)
  writeFileSync(join(dataDir, 'file'), '')
  const bad = [
    [{ http: '80' }, /^vedette: --http is "80", but it must be host:port, like 127\.0\.0\.1:5800\.\n$/],
    [{ nt4: 'team:0' }, /^vedette: --nt4 is "team:0", but it must name a team from 1 to 25599, not "0"\.\n$/],
    [
      { profile: 'bench', tls: '0.0.0.0:0' },
      /^vedette: --profile is "bench", but in bench everybody .* --tls lets .*\n$/,
    ],
    [{ colour: 'red' }, /^vedette: Unknown option '--colour'; --help lists what there is\.\n$/],
    [
      { 'data-dir': join(dataDir, 'file', 'x') },
      /^vedette: the data directory .*\/file\/x cannot be used \(ENOTDIR: .*\n$/,
    ],
  ] as const

  const ends = await Promise.all(bad.map(([flags]) => attempt(flags)))

  for (const [n, { code, output }] of ends.entries()) {
    assert.match(output, bad[n]?.[1] as RegExp)
    assert.equal(code, EXIT.badConfiguration)
  }
})

test('--help and --version answer and start nothing', async (t) => {
  const { attempt, dataDir } = site(t)
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

  const [help, about] = await Promise.all([attempt({ help: true }), attempt({ version: true })])

  assert.deepEqual([help.code, about.code, about.output], [0, 0, `${version}\n`])
  assert.match(help.output, /--data-dir +VEDETTE_DATA_DIR/)
  assert.deepEqual(readdirSync(dataDir), [])
})

test('a settings file that cannot be read is set aside and told of', async (t) => {
  const { start, dataDir } = site(t)
  const broken = Buffer.alloc(10_000, 'these are not the settings you are looking for. ')
  writeFileSync(join(dataDir, 'vedette.db'), broken)

  const daemon = await start({ demo: '1' })

  const { detail } = await daemon.error('storage.corrupt', '')
  assert.match(detail, /set aside as .*vedette\.db\.corrupt-1/)
  assert.deepEqual(readFileSync(join(dataDir, 'vedette.db.corrupt-1')), broken)
  await daemon.stream('demo', 'live')
})

test('settings of a newer version are refused and not touched', async (t) => {
  const { attempt, dataDir } = site(t)
  const file = join(dataDir, 'vedette.db')
  const db = new DatabaseSync(file)
  db.exec('CREATE TABLE documents (shape TEXT); PRAGMA user_version = 99')
  db.close()
  const before = readFileSync(file)

  const { code, output } = await attempt()

  assert.equal(code, EXIT.badConfiguration)
  assert.match(
    output,
    /vedette\.db has schema 99, but this version knows only up to \d+; install the newer version again/,
  )
  assert.deepEqual(readdirSync(dataDir), ['log', 'vedette.db'])
  assert.deepEqual(readFileSync(file), before)
})

test('a data directory that cannot be written to is named', async (t) => {
  const { attempt, dataDir } = site(t)
  const isRoot = process.getuid?.() === 0
  const folder = isRoot ? smallDisk(t, 'ro') : dataDir
  if (!folder) return t.skip('root may write everywhere, and a disk that is read-only cannot be mounted here')
  if (!isRoot) chmodSync(folder, 0o555)

  const { code, output } = await attempt({ 'data-dir': folder })

  assert.equal(code, EXIT.badConfiguration)
  assert.match(output, /^vedette: the data directory .* cannot be used \((EROFS|EACCES): .*; name another one .*\.\n$/)
})
