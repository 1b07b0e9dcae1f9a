// The commands of the page about plugins, as a reader would run them one after the other, on the real service: from a
// project that is made to a plugin that runs, in TypeScript and in Python.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { projectPath } from '../../native/files/project-root.ts'
import { commandsOf, howTo, noPrograms, runCommands } from '../support/api/page-commands.ts'
import { site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'

const missing = ['zip', 'unzip', 'python3'].filter((program) => spawnSync(program, ['--help']).error)
const noConfine = !existsSync(projectPath('native/addon/build/vedette-confine')) && 'vedette-confine is not built'
const skip = noPrograms || (missing.length > 0 && `${missing.join(' and ')} is not installed`) || noConfine

for (const template of ['program-typescript', 'program-python'])
  test(`the commands about plugins lead from a project to a plugin that runs: ${template}`, { skip }, async (t) => {
    const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start({ nt4: 'serve:127.0.0.1:0' })
    await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 200, fps: 30 } })

    const stdout = await runCommands(
      [`TEMPLATE=${template}`, ...commandsOf(howTo('write-a-plugin'))],
      daemon.url,
      folderOf(t),
    )

    assert.match(stdout, /^program-python: a program in Python/m)
    assert.match(stdout, /^made; test it with: (node --test|python3 -m unittest)$/m)
    assert.match(stdout, /^My plugin 0\.1\.0 asks for: read, topics$/m)
    assert.match(stdout, /^my-plugin is enabled\ninfo: watching 1 streams$/m)
    assert.match(stdout, /^ {2}held: network, /m)
    assert.match(stdout, /^my-plugin is disabled$/m)
    const { items } = await daemon.get<{ items: readonly object[] }>('/v1/plugins')
    assert.deepEqual(items, [])
  })
