// The real service is updated from one version to another, and back: two releases of this checkout, over real sockets.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { UpdateState, UpdateStateName } from '../../machines/update/update-state.ts'
import { updateKeyOf } from '../../native/update/bundle/sign.ts'
import { until } from '../support/until.ts'
import { LaunchedDevice } from '../support/update/launched-device.ts'
import { bundleIn, signingKey } from '../support/update/releases.ts'

const ROOT = join(import.meta.dirname, '../..')
const COPIED = ['.bundle', 'ui/build', 'ui/docs.html', 'ui/docs.js', 'docs/help.txt', 'native/notify/build/notify.node']

const key = signingKey()
const keys = JSON.stringify({ keys: [updateKeyOf(key, null)] })

/** A bundle of this checkout as a version. What it does not carry lies beside the versions, as on the system. */
const bundleOf = async (t: TestContext, version: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const path of COPIED) {
    mkdirSync(dirname(join(folder, 'release', path)), { recursive: true })
    cpSync(join(ROOT, path), join(folder, 'release', path), { recursive: true, dereference: true })
  }
  const content = {
    'bin/node': `#!/bin/sh\nexec "${process.execPath}" "$@"\n`,
    'package.json': JSON.stringify({ name: 'vedette', version, type: 'module' }),
    'update-keys.json': keys,
  }
  const { path } = await bundleIn(folder, { content, version, keys: [key], minimum_version: '0.1.0' })
  return path
}

/** Uploads a bundle, as `curl --data-binary` does. */
const upload = async (url: string, path: string): Promise<void> => {
  const answer = await fetch(`${url}/v1/ota/upload`, {
    method: 'POST',
    body: readFileSync(path),
    headers: { 'content-type': 'application/octet-stream' },
  })
  assert.equal(answer.status, 201, await answer.text())
}

const stateAt = async (url: string): Promise<UpdateState> => (await fetch(`${url}/v1/ota/state`)).json() as never

const reaches = (url: string, state: UpdateStateName): Promise<UpdateState> =>
  until(
    state,
    () => stateAt(url),
    (found) => found.state === state,
  )

const post = (url: string, path: string, body: object): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

const streamsAt = async (url: string): Promise<readonly string[]> => {
  const { items } = (await (await fetch(`${url}/v1/streams`)).json()) as { items: readonly { id: string }[] }
  return items.map(({ id }) => id)
}

const addStream = async (url: string, id: string): Promise<void> => {
  const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 }
  assert.equal((await post(url, '/v1/streams', { id, source })).status, 200)
}

/** Uploads a bundle and applies it; the address of the service that runs then. */
const update = async (device: LaunchedDevice, url: string, path: string): Promise<string> => {
  await upload(url, path)
  await reaches(url, 'ready')
  const since = device.output.length
  const applied = await post(url, '/v1/ota/apply', { when: 'now' })
  assert.equal(applied.status, 200, await applied.text())
  return device.ready(since)
}

test('a service is updated to another version and back, and keeps its settings', async (t) => {
  const device = new LaunchedDevice(t)
  writeFileSync(join(device.packaged, 'update-keys.json'), keys)
  const [newer, older] = [await bundleOf(t, '1.1.0'), await bundleOf(t, '1.0.1')]
  mkdirSync(device.system, { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(device.system, 'node_modules'))
  device.start()
  const first = await device.ready()
  await addStream(first, 'front')

  const second = await update(device, first, newer)
  const trial = await reaches(second, 'trial')
  const kept = await reaches(second, 'committed')
  await addStream(second, 'rear')

  assert.deepEqual([trial.state, kept.running.version, kept.other?.name], ['trial', '1.1.0', 'packaged'])
  const third = await update(device, second, older)
  const back = await reaches(third, 'committed')

  assert.equal(back.running.version, '1.0.1')
  assert.deepEqual((await streamsAt(third)).toSorted(), ['front', 'rear'])
})
