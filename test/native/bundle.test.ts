// The bundle that `npm start` runs: when it is made, that it is the service, and what happens where it cannot be made.
import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileLifetime } from '../support/lifetime.ts'
import { type Checkout, copiedCheckout, redate } from '../support/processes/checkout.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const LONG_AGO = new Date('2001-01-01')
const MAIN = '.bundle/main.mjs'
const ENGINE = '.bundle/engine/main.mjs'
const KEPT = 'node_modules/.cache/service'
const MADE = { code: 0, output: `${MAIN}\n` }

const bundle = ({ start }: Checkout) => start('sh', 'native/bundle.sh').done

/** One whose bundle was made: once for all tests, since it is made of the same sources in each copy. */
const makeOnce = async (): Promise<Checkout> => {
  const checkout = copiedCheckout(lifetime)
  assert.deepEqual(await bundle(checkout), MADE)
  return checkout
}
const lifetime = fileLifetime()
const made = makeOnce()

/** A copy with its bundle. */
const bundledCheckout = async (t: TestContext): Promise<Checkout> => {
  const { folder } = await made
  const checkout = copiedCheckout(t)
  cpSync(join(folder, '.bundle'), join(checkout.folder, '.bundle'), { recursive: true })
  return checkout
}

/** What is bundled. */
const ENTRIES = [
  'supervisors/main.ts',
  'native/engine/process/main.ts',
  'native/engine/process/host/worker.ts',
  'native/models/check.ts',
  'native/documents/sqlite-worker.ts',
  'native/plugins/packages/child.ts',
]

/** A copy in which what is bundled is small: when it is made does not depend on what it is. */
const smallCheckout = (t: TestContext): Checkout => {
  const checkout = copiedCheckout(t)
  for (const entry of ENTRIES) checkout.change(entry, () => `console.log('${entry}')\n`, LONG_AGO)
  return checkout
}

/** The same with its bundle. */
const smallBundledCheckout = async (t: TestContext): Promise<Checkout> => {
  const checkout = smallCheckout(t)
  assert.deepEqual(await bundle(checkout), MADE)
  return checkout
}

const madeAt = ({ folder }: Checkout): number => statSync(join(folder, MAIN)).mtimeMs

test('the bundle is the service, with engines, pages, figures and a certificate of its own', async (t) => {
  const checkout = await bundledCheckout(t)
  rmSync(join(checkout.folder, 'api'), { recursive: true }) // nothing is read from the sources

  const { start, dataDir } = site(t, join(checkout.folder, MAIN))
  const daemon = await start({ demo: '1', tls: '127.0.0.1:0', profile: 'field' })

  await daemon.stream('demo', 'live')
  const { engine_pid } = await daemon.metrics('demo')
  assert.ok(readFileSync(`/proc/${engine_pid}/cmdline`, 'utf8').includes(join(checkout.folder, ENGINE)))
  for (const path of ['/', '/docs', '/openapi.json', '/v1/device/metrics?format=prometheus'])
    assert.equal((await fetch(daemon.url + path)).status, 200, path)
  await until('the certificate', () => existsSync(join(dataDir, 'tls/device.pem')), Boolean)
  assert.deepEqual((await daemon.get<{ items: object[] }>('/v1/errors')).items, [])
})

test('the bundle names no place of the machine that it was made on', async () => {
  const { folder } = await made

  const telling = globSync('.bundle/**/*.{mjs,map}', { cwd: folder }).filter((path) =>
    readFileSync(join(folder, path), 'utf8').includes(folder),
  )
  assert.deepEqual(telling, [])
})

test('the bundle is made again when a source has other content, and kept when it only looks newer', async (t) => {
  const checkout = await smallBundledCheckout(t)
  redate(join(checkout.folder, '.bundle'), /./, LONG_AGO)
  redate(join(checkout.folder, 'api'), /./, new Date())

  assert.deepEqual(await bundle(checkout), MADE)
  assert.equal(madeAt(checkout), LONG_AGO.getTime())

  checkout.change('supervisors/main.ts', (text) => `${text}console.log('changed')\n`, LONG_AGO)
  assert.deepEqual(await bundle(checkout), MADE)
  assert.match(readFileSync(join(checkout.folder, MAIN), 'utf8'), /changed/)
})

test('a bundle that is not whole is made anew', async (t) => {
  const checkout = await smallBundledCheckout(t)
  const whole = readFileSync(join(checkout.folder, ENGINE), 'utf8')
  writeFileSync(join(checkout.folder, ENGINE), '') // what a power cut leaves of a file

  assert.deepEqual(await bundle(checkout), MADE)
  assert.equal(readFileSync(join(checkout.folder, ENGINE), 'utf8'), whole)
})

test('a service that still writes what Node compiled of the files before keeps nobody from the bundle', async (t) => {
  const checkout = smallCheckout(t)
  mkdirSync(join(checkout.folder, KEPT), { recursive: true })
  for (const program of ['rm', 'mv'])
    checkout.replace(
      program,
      `case "$*" in *${KEPT}*) echo 'Directory not empty' >&2; exit 1 ;; esac; /bin/${program} "$@"`,
    )

  assert.deepEqual(await bundle(checkout), MADE)
  assert.ok(existsSync(join(checkout.folder, MAIN)))
})

test('where there can be no bundle the service runs from its sources, and says so', async (t) => {
  const checkout = await smallBundledCheckout(t)
  checkout.change('supervisors/main.ts', () => "console.log('from the sources')", LONG_AGO)
  checkout.change('native/engine/process/main.ts', (text) => `${text}const (`, LONG_AGO)

  const start = checkout.start('sh', 'native/start.sh')
  const { code, output } = await start.done

  assert.equal(code, 0, output)
  assert.match(output, /native\/engine\/process\/main\.ts:\d+:6:\n.*vedette: the service could not be bundled; /s)
  assert.equal(start.answered(), 'from the sources\n')
  assert.ok(
    existsSync(join(checkout.folder, ENGINE)),
    'a service that runs from the bundle before starts engines from it',
  )
  assert.equal(existsSync(join(checkout.folder, '.bundle.new')), false, 'nothing is left half made')
})

test('a source that changes while the bundle is made is in the next one', async (t) => {
  const checkout = smallCheckout(t)
  checkout.replace('node', `"${process.execPath}" "$@" && echo "console.log('meanwhile')" >>supervisors/main.ts`)
  await bundle(checkout)
  assert.doesNotMatch(readFileSync(join(checkout.folder, MAIN), 'utf8'), /meanwhile/)

  assert.deepEqual(await bundle(checkout), MADE)

  assert.match(readFileSync(join(checkout.folder, MAIN), 'utf8'), /meanwhile/)
})

test('a file that an editor leaves among the sources keeps nobody from the bundle', async (t) => {
  const checkout = smallCheckout(t)
  writeFileSync(join(checkout.folder, 'api/areas (copy).ts'), '')
  symlinkSync('somebody@laptop.4711', join(checkout.folder, 'api/.#areas.ts'))

  assert.deepEqual(await bundle(checkout), MADE)
})

test('a start that waits too long for another to make the bundle does without', async (t) => {
  const checkout = smallCheckout(t)
  checkout.replace('flock', 'exit 1') // as it ends when its time is over

  const start = checkout.start('sh', 'native/bundle.sh')
  const { code, output } = await start.done

  assert.equal(code, 0)
  assert.match(output, /could not be bundled; /)
  assert.equal(start.answered(), 'supervisors/main.ts\n')
})
