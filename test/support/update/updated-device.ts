// A device whose real service is updated through its API: bundles of this checkout, over real sockets.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import type { UpdateState, UpdateStateName } from '../../../machines/update/update-state.ts'
import { updateKeyOf } from '../../../native/update/bundle/sign.ts'
import { until } from '../until.ts'
import { LaunchedDevice } from './launched-device.ts'
import { bundleIn, type ReleaseContent, signingKey } from './releases.ts'

const ROOT = join(import.meta.dirname, '../../..')
const COPIED = ['.bundle', 'ui/build', 'ui/docs.html', 'ui/docs.js', 'docs/help.txt', 'native/notify/build/notify.node']

const key = signingKey()
const keys = JSON.stringify({ keys: [updateKeyOf(key, null)] })

/**
 * A bundle of this checkout as a version. What it does not carry lies beside the versions, as on the system. bad: what
 * is otherwise in it, by path; the service itself is `.bundle/service.mjs` then.
 */
export const bundleOf = async (t: TestContext, version: string, bad: ReleaseContent = {}): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const path of COPIED) {
    mkdirSync(dirname(join(folder, 'release', path)), { recursive: true })
    cpSync(join(ROOT, path), join(folder, 'release', path), { recursive: true, dereference: true })
  }
  if ('.bundle/main.mjs' in bad)
    renameSync(join(folder, 'release/.bundle/main.mjs'), join(folder, 'release/.bundle/service.mjs'))
  const content = {
    'bin/node': `#!/bin/sh\nexec "${process.execPath}" "$@"\n`,
    'package.json': JSON.stringify({ name: 'vedette', version, type: 'module' }),
    'update-keys.json': keys,
    ...bad,
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

/** Where the update stands. */
export const stateAt = async (url: string): Promise<UpdateState> => (await fetch(`${url}/v1/ota/state`)).json() as never

/** Waits for a state. */
export const reaches = (url: string, state: UpdateStateName): Promise<UpdateState> =>
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

/** The ids of the streams. */
export const streamsAt = async (url: string): Promise<readonly string[]> => {
  const { items } = (await (await fetch(`${url}/v1/streams`)).json()) as { items: readonly { id: string }[] }
  return items.map(({ id }) => id)
}

/** Makes a synthetic stream. */
export const addStream = async (url: string, id: string): Promise<void> => {
  const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 }
  assert.equal((await post(url, '/v1/streams', { id, source })).status, 200)
}

/** Uploads a bundle and applies it. Returns how much the device had written before. */
export const apply = async (device: LaunchedDevice, url: string, path: string): Promise<number> => {
  await upload(url, path)
  await reaches(url, 'ready')
  const since = device.output.length
  const applied = await post(url, '/v1/ota/apply', { when: 'now' })
  assert.equal(applied.status, 200, await applied.text())
  return since
}

/** Uploads a bundle and applies it; the address of the service that runs then. */
export const update = async (device: LaunchedDevice, url: string, path: string): Promise<string> =>
  device.ready(await apply(device, url, path))

/** A device whose packaged version runs, which takes such bundles; and the address of its service. */
export const updatableDevice = async (t: TestContext) => {
  const device = new LaunchedDevice(t)
  writeFileSync(join(device.packaged, 'update-keys.json'), keys)
  mkdirSync(device.system, { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(device.system, 'node_modules'))
  device.start()
  const url = await device.ready()
  await reaches(url, 'idle') // what is on the disk is read by then
  return { device, url }
}
