import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { projectPath } from '../../native/files/project-root.ts'
import { folderOf } from '../support/processes/folder.ts'
import { bundleTests } from './bundled.ts'

const SERVICE = projectPath('.bundle/main.mjs')

test('what a source says of its own place stays true where it was moved to', async (t) => {
  const source = 'native/files/project-root.ts'

  const made = await bundleTests([source], folderOf(t), SERVICE)

  const place = made.get(source) ?? ''
  assert.ok(place.endsWith('/native/files/project-root.mjs'))
  const moved = (await import(pathToFileURL(place).href)) as { readonly projectPath: typeof projectPath }
  assert.equal(moved.projectPath('package.json'), projectPath('package.json'))
})

test('what starts another program finds that of the bundle of the service', async (t) => {
  const source = 'native/rig/thread.ts'

  const made = await bundleTests([source], folderOf(t), SERVICE)

  const text = readFileSync(made.get(source) ?? '', 'utf8')
  assert.ok(text.includes(JSON.stringify(pathToFileURL(projectPath('.bundle/service/of-tests.mjs')).href)))
  assert.ok(!text.includes(JSON.stringify(pathToFileURL(projectPath(source)).href)))
})
