// The commands of the page about nodes of plugins, as a reader would run them one after the other, on the real service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandsOf, howTo, noPrograms, runCommands } from '../support/api/page-commands.ts'
import { site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'

test('the commands about a node of a plugin lead to values of a running stream', { skip: noPrograms }, async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 200, fps: 30 } })

  const stdout = await runCommands(commandsOf(howTo('write-a-plugin-node')), daemon.url, folderOf(t))

  assert.match(stdout, /^sharpness 1\.0\.0$/m)
  assert.match(stdout, /^sharpness\.measure$/m)
  assert.match(stdout, /^\[\{"values":\{"sharpness":[0-9.]+\}\}\]$/m)
})
