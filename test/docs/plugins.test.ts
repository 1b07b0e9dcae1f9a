// The plugins in docs/plugins, as their readers have them: each runs its own test without a device, and is a package
// that this service takes.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { isFault } from '../../machines/errors/fault.ts'
import type { GraphDocument } from '../../machines/pipeline/graph.ts'
import { templates } from '../../machines/pipeline/templates.ts'
import { projectPath } from '../../native/files/project-root.ts'
import { packFolder } from '../../native/plugins/pack/pack.ts'
import { folderOf } from '../support/processes/folder.ts'

const run = promisify(execFile)
const PLUGINS = projectPath('docs/plugins')
const names = readdirSync(PLUGINS, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []))
const noNumpy = spawnSync('python3', ['-c', 'import numpy']).status !== 0 && 'python3 has no NumPy here'

test('there are as many plugins to learn from as their page names', () => {
  const page = readFileSync(join(PLUGINS, 'README.md'), 'utf8')

  assert.equal(names.length, 3)
  for (const name of names) assert.match(page, new RegExp(`\\[${name}\\]\\(${name}/README.md\\)`))
})

for (const name of names) {
  const isPython = !existsSync(join(PLUGINS, name, 'package.json'))
  test(`the plugin ${name} runs its own test, and is a package`, { skip: isPython && noNumpy }, async (t) => {
    const folder = folderOf(t)
    cpSync(join(PLUGINS, name), folder, { recursive: true })
    const { PATH, HOME } = process.env
    const inFolder = (program: string, ...args: string[]) => run(program, args, { cwd: folder, env: { PATH, HOME } })

    const tested = await (isPython ? inFolder('python3', '-m', 'unittest') : inFolder('node', '--test'))
    const packed = await packFolder(join(PLUGINS, name))

    assert.match(tested.stdout + tested.stderr, isPython ? /Ran [1-9].*\n\nOK/s : /^. tests [1-9]\n[\s\S]*^. fail 0$/m)
    assert.ok(!isFault(packed), JSON.stringify(packed))
    assert.equal(packed.manifest.name, name)
  })
}

test('the pipeline of the note finder is the template for colours, with the hues of its pieces', () => {
  const { name: _, ...own } = JSON.parse(
    readFileSync(join(PLUGINS, 'note-finder/pipeline.json'), 'utf8'),
  ) as GraphDocument
  const template = templates.find(({ id }) => id === 'colour-target')

  const withoutHues = ({ nodes, ...rest }: GraphDocument) => ({
    ...rest,
    nodes: nodes.map((node) => (node.id === 'threshold' ? { ...node, params: {} } : node)),
  })

  assert.ok(template)
  const { name: _also, ...from } = template.graph
  assert.deepEqual(withoutHues(own), withoutHues(from))
})
