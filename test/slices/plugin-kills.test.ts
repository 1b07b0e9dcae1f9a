// A service is killed in the middle of whatever is ordered of a plugin: afterwards it has the plugin as it was or as
// was ordered, whole, and nothing else lies on its disk.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Plugin } from '../../machines/plugins/plugin.ts'
import { seeded } from '../support/engine/random-graphs.ts'
import { shortOrLong } from '../support/long.ts'
import { packageOf } from '../support/plugins/packages.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const NAME = 'note-finder'
const ROUNDS = shortOrLong(4, 100)
const MAX_DOUBLINGS = 9 // by 500 questions an order is answered on an idle machine
const FILES = 60

const versionIn = (files: number, version: string) =>
  Object.fromEntries(Array.from({ length: files }, (_, n) => [`lib/${n}.txt`, `${version} ${'x'.repeat(n * 100)}`]))

interface List {
  readonly items: readonly Plugin[]
  readonly uploads: readonly { readonly upload: string }[]
}

interface Health {
  readonly parts: readonly { readonly name: string; readonly state: string }[]
}

const isKeeperReady = ({ parts }: Health): boolean =>
  parts.some(({ name, state }) => name === 'plugin-keeper' && state.startsWith('ready'))

/** Also before the disk was looked at: what is not known yet is not said to be gone. */
const assertNothingMissing = (items: readonly Plugin[]): void => {
  for (const { fault } of items) assert.notEqual(fault?.code, 'plugin.missing')
}

const plugins = (daemon: Daemon) => daemon.get<List>('/v1/plugins')

const upload = async (daemon: Daemon, bytes: Buffer): Promise<number> => {
  const response = await fetch(`${daemon.url}/v1/plugins/upload`, {
    method: 'POST',
    headers: { 'content-type': 'application/zip' },
    body: new Uint8Array(bytes),
  })
  await response.text()
  return response.status
}

/** As people see it. */
const shown = ([plugin]: readonly Plugin[]): string => (plugin ? `${plugin.version} ${plugin.state}` : 'none')

/** What is to be done next with a plugin, and what it comes to. */
const orderFor = (now: string, round: number) => {
  const version = `1.${round}.0`
  const install = {
    method: 'POST',
    path: '/v1/plugins/install',
    body: { upload: `${NAME}-${version}` },
    after: `${version} enabled`,
  }
  const toNow = (order: string, state: string) => ({
    method: 'POST',
    path: `/v1/plugins/${NAME}/${order}`,
    body: {},
    after: `${now.split(' ')[0]} ${state}`,
  })
  if (now === 'none') return install
  if (now.endsWith('disabled')) return round % 2 === 0 ? toNow('enable', 'enabled') : install
  if (round % 7 === 6) return toNow('disable', 'disabled')
  if (round % 5 === 4) return { method: 'DELETE', path: `/v1/plugins/${NAME}`, body: {}, after: 'none' }
  return install
}

/** That the disk has what is shown, whole, and nothing else. */
const assertDisk = (dataDir: string, items: readonly Plugin[], said: string): void => {
  const inFolder = (...path: readonly string[]) => readdirSync(join(dataDir, 'plugins', ...path))
  const [plugin] = items
  assert.deepEqual(inFolder('incoming'), [], said)
  assert.deepEqual(inFolder('installed'), plugin ? [NAME] : [], said)
  assert.deepEqual(inFolder('data'), plugin ? [NAME] : [], said)
  if (!plugin) return
  assert.equal(plugin.fault, null, said)
  const releases = inFolder('installed', NAME)
  assert.equal(releases.length, 1, said)
  assert.match(releases[0] ?? '', new RegExp(`^${plugin.version}-`), said)
  const content = join(dataDir, 'plugins', 'installed', NAME, releases[0] ?? '', 'content')
  for (const [path, text] of Object.entries(versionIn(FILES, plugin.version)))
    assert.equal(readFileSync(join(content, path), 'utf8'), text, said)
  assert.equal(statSync(join(content, 'main.py')).mode & 0o777, 0o644, said)
}

test('whenever it is killed, a plugin is as it was or as was ordered, and all of it is there', async (t) => {
  const { start, dataDir } = site(t)
  const chance = seeded(352)
  const outcomes: Record<string, number> = {}
  let daemon = await start({ engine: 'fake', device: 'fake' })

  for (let round = 0; round < ROUNDS; round += 1) {
    const before = shown((await plugins(daemon)).items)
    const order = orderFor(before, round)
    const bytes = await packageOf({ version: `1.${round}.0` }, { 'main.py': '', ...versionIn(FILES, `1.${round}.0`) })
    assert.equal(await upload(daemon, bytes), 201)
    const sent = daemon.send(order.method, order.path, order.body).then(
      ({ status }) => status,
      () => 'cut off',
    )
    const questions = chance(2 ** (1 + chance(MAX_DOUBLINGS)))
    for (let n = 0; n < questions; n += 1) await daemon.get('/v1/health')
    await daemon.end('SIGKILL')
    const answer = await sent

    daemon = await start({ engine: 'fake', device: 'fake' })
    assertNothingMissing((await plugins(daemon)).items)
    await until('what the kill left is put in order', () => daemon.get<Health>('/v1/health'), isKeeperReady)
    const { items } = await until(
      'rest',
      () => plugins(daemon),
      (list) => list.items.every(({ state }) => state === 'enabled' || state === 'disabled'),
    )

    const now = shown(items)
    const said = `round ${round}: ${order.method} ${order.path} was ${answer}, ${before} became ${now}`
    assert.ok([before, order.after].includes(now), said)
    if (typeof answer === 'number') assert.equal(now, order.after, `what was answered is there: ${said}`)
    assertDisk(dataDir, items, said)
    const how = `${order.path.split('/').at(-1)}: ${answer}, ${now === order.after ? 'done' : 'not done'}`
    outcomes[how] = (outcomes[how] ?? 0) + 1
  }

  t.diagnostic(JSON.stringify(outcomes))
})
