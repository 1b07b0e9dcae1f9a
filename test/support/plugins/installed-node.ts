// A plugin with a node, uploaded to a service and installed there.
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFault } from '../../../machines/errors/fault.ts'
import { packFolder } from '../../../native/plugins/pack/pack.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Daemon } from '../processes/daemon.ts'
import { folderOf } from '../processes/folder.ts'

/** The node `trial.look` in Python: how wide its picture is, its parameter, and which version it is. */
const PROGRAM = `
from vedette_plugin_node import node

def look(inputs, params):
    return {"values": {"width": inputs["image"].width, "gain": params["gain"], "by": VERSION}}

node.run(look)
`

const manifest = (version: string) => ({
  name: 'trial',
  version,
  minimum_api: 1,
  title: 'Trial',
  provides: {
    nodes: [
      {
        type: 'look',
        title: 'Look',
        description: 'Looks at the picture.',
        program: { runtime: 'python', path: 'node.py' },
        inputs: [{ name: 'image', kind: 'image', format: 'gray' }],
        outputs: [{ name: 'values', kind: 'values' }],
        params: { gain: { type: 'number', minimum: 0, maximum: 10, default: 1, description: 'How much.' } },
      },
    ],
  },
})

/** Done when it is enabled. */
export const installNode = async (t: Lifetime, daemon: Daemon, version = '1.0.0'): Promise<void> => {
  const folder = mkdtempSync(join(folderOf(t), 'package-'))
  writeFileSync(join(folder, 'vedette-plugin.json'), JSON.stringify(manifest(version)))
  writeFileSync(join(folder, 'node.py'), `VERSION = "${version}"\n${PROGRAM}`)
  const packed = await packFolder(folder)
  assert.ok(!isFault(packed), JSON.stringify(packed))
  const body = Uint8Array.from(packed.bytes)
  const answered = await fetch(`${daemon.url}/v1/plugins/upload`, { method: 'POST', body })
  assert.equal(answered.status, 201)
  const { upload } = (await answered.json()) as { readonly upload: string }
  const installed = await daemon.send('POST', '/v1/plugins/install', { upload })
  assert.ok(installed.status < 300, JSON.stringify(installed.body))
}

/** Tags of a picture, and beside them what the node makes of it. */
export const graphWithNode = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'found', type: 'apriltag' },
    { id: 'look', type: 'trial.look', params: { timeout_ms: 1000 } },
  ],
  edges: [
    { from: 'source.image', to: 'found.image' },
    { from: 'source.image', to: 'look.image' },
  ],
  outputs: [
    { port: 'tags', from: 'found.detections' },
    { port: 'looked', from: 'look.values' },
  ],
}
