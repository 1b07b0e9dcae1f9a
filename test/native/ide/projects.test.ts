// Projects of plugins on a disk: each that is made runs its own test at once, without the service, and is packed into
// a package whose manifest the service takes.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { isFault } from '../../../machines/errors/fault.ts'
import { MAX_PROJECTS, type WholeIdeProject } from '../../../machines/ide/project.ts'
import { languageOf, PROJECT_TEMPLATES, type ProjectTemplate } from '../../../machines/ide/template.ts'
import { type PluginManifest, PluginManifestFile } from '../../../machines/plugins/manifest.ts'
import { validatorOf } from '../../../machines/schema/errors.ts'
import { DiskProjects } from '../../../native/ide/disk.ts'
import { FakePrograms } from '../../../native/programs/fake.ts'
import { linuxPrograms } from '../../../native/programs/linux.ts'
import type { ProgramsPort } from '../../../native/programs/port.ts'
import { folderOf } from '../../support/processes/folder.ts'

const run = promisify(execFile)
const hasPython = !spawnSync('python3', ['--version']).error
const hasZip = !['zip', 'unzip'].some((program) => spawnSync(program, ['-v']).error)

const projectsIn = (t: TestContext, programs: ProgramsPort = new FakePrograms()) => {
  const folder = join(folderOf(t), 'projects')
  return { folder, port: new DiskProjects({ folder, nowMs: () => 1_795_000_000_000, programs }) }
}

const made = async (port: DiskProjects, template: ProjectTemplate, name = 'note-finder'): Promise<WholeIdeProject> => {
  const project = await port.create({ name, template })
  assert.ok(!isFault(project), JSON.stringify(project))
  return project
}

/** Runs a command of a project in its folder, with nothing of this service around it. */
const inFolder = ({ folder }: WholeIdeProject, command: string) => {
  const [program = '', ...args] = command.split(' ')
  const { PATH, HOME } = process.env
  return run(program, args, { cwd: folder, env: { PATH, HOME } })
}

for (const template of Object.keys(PROJECT_TEMPLATES) as ProjectTemplate[]) {
  const needsPython = languageOf(template) === 'python'
  test(`a project of ${template} runs its own test, and is packed into a package`, {
    skip: (needsPython && !hasPython && 'python3 is not installed') || (!hasZip && 'zip and unzip are not installed'),
  }, async (t) => {
    const { port } = projectsIn(t)
    const project = await made(port, template)

    const tested = await inFolder(project, project.test)
    const packed = await inFolder(project, project.pack)

    assert.match(
      tested.stdout + tested.stderr,
      needsPython ? /Ran [1-9].*\n\nOK/s : /^. tests [1-9]\n[\s\S]*^. fail 0$/m,
    )
    assert.equal(packed.stderr, '')
    const listed = (await run('unzip', ['-Z1', '../note-finder.zip'], { cwd: project.folder })).stdout.split('\n')
    assert.ok(listed.includes('vedette-plugin.json'))
    const text = readFileSync(join(project.folder, 'vedette-plugin.json'), 'utf8')
    const manifest = JSON.parse(text) as PluginManifest
    assert.deepEqual(validatorOf(PluginManifestFile)(manifest), [])
    assert.equal(manifest.name, 'note-finder')
    const named = [manifest.program?.path, ...(manifest.provides.nodes ?? []).map(({ program }) => program.path)]
    if (manifest.provides.panel) named.push(`${manifest.provides.panel.folder}/index.html`)
    for (const path of named) if (path !== undefined) assert.ok(listed.includes(path), path)
    assert.ok(!project.files.some((each) => /<<\w+>>/.test(each.text)), 'every place of a name is filled')
  })
}

test('projects are listed by name, also by a service that is started later', async (t) => {
  const { port, folder } = projectsIn(t)
  assert.deepEqual(await port.projects(), [])
  await made(port, 'program-python', 'zebra')
  await made(port, 'panel-typescript', 'ape')

  const later = new DiskProjects({ folder, nowMs: () => 0, programs: new FakePrograms() })
  const listed = await later.projects()

  assert.ok(!isFault(listed))
  assert.deepEqual(
    listed.map(({ name, template, created_at_ms, test: command }) => [name, template, created_at_ms, command]),
    [
      ['ape', 'panel-typescript', 1_795_000_000_000, 'node --test'],
      ['zebra', 'program-python', 1_795_000_000_000, 'python3 -m unittest'],
    ],
  )
})

test('a project is shown as it is now, without what is no text of its makers', async (t) => {
  const { port, folder } = projectsIn(t)
  const project = await made(port, 'program-python')
  writeFileSync(join(project.folder, 'main.py'), 'print("mine")\n')
  writeFileSync(join(project.folder, 'model.bin'), Buffer.of(1, 0, 2))
  writeFileSync(join(project.folder, 'long.txt'), 'x'.repeat(300_000))
  mkdirSync(join(project.folder, 'node_modules/other'), { recursive: true })
  writeFileSync(join(project.folder, 'node_modules/other/index.js'), '')
  symlinkSync('/etc/passwd', join(project.folder, 'link.txt'))

  const shown = await port.project('note-finder')

  assert.ok(shown && !isFault(shown))
  assert.equal(shown.files.find(({ path }) => path === 'main.py')?.text, 'print("mine")\n')
  const expected = ['README.md', 'counts.py', 'main.py', 'test_counts.py', 'vedette-plugin.json']
  assert.deepEqual(
    shown.files.map(({ path }) => path),
    expected,
  )
  assert.equal(await port.project('nobody'), undefined)
  assert.deepEqual(readdirSync(folder), ['note-finder'])
})

test('a folder of somebody else is no project, and its name is taken', async (t) => {
  const { port, folder } = projectsIn(t)
  mkdirSync(join(folder, 'mine'), { recursive: true })

  const refused = await port.create({ name: 'mine', template: 'program-python' })

  assert.deepEqual(await port.projects(), [])
  assert.ok(isFault(refused))
  assert.equal(refused.code, 'document.exists')
  assert.match(refused.detail, /choose another name/)
})

test("what a power cut left of a project is none, and in nobody's way", async (t) => {
  const { port, folder } = projectsIn(t)
  mkdirSync(join(folder, '.note-finder.next'), { recursive: true })
  writeFileSync(join(folder, '.note-finder.next/half.py'), 'imp')

  const project = await made(port, 'node-python')

  assert.ok(!project.files.some(({ path }) => path === 'half.py'))
  assert.deepEqual(readdirSync(folder), ['note-finder'])
})

test('no more projects are kept than can be listed', async (t) => {
  const { port, folder } = projectsIn(t)
  for (let n = 0; n < MAX_PROJECTS; n += 1) mkdirSync(join(folder, `p${n}`), { recursive: true })

  const refused = await port.create({ name: 'one-more', template: 'program-python' })

  assert.ok(isFault(refused))
  assert.equal(refused.code, 'document.too_many')
})

test('a disk that cannot be written is a fault in words', async (t) => {
  const folder = join(folderOf(t), 'projects')
  writeFileSync(folder, 'a file')
  const port = new DiskProjects({ folder, nowMs: () => 0, programs: new FakePrograms() })

  const refused = await port.create({ name: 'mine', template: 'program-python' })

  assert.ok(isFault(refused))
  assert.equal(refused.code, 'storage.failed')
})

test('a title with signs of JSON and HTML breaks no file', async (t) => {
  const { port } = projectsIn(t)
  const title = 'A "quick" <b>\\$& plugin'

  const project = await port.create({ name: 'odd', template: 'panel-typescript', title })

  assert.ok(!isFault(project))
  const text = (path: string) => project.files.find((each) => each.path === path)?.text ?? ''
  assert.equal(JSON.parse(text('vedette-plugin.json')).title, title)
  assert.doesNotMatch(text('panel/index.html'), /<b>/)
})

test('the zip of a project is read by other programs', { skip: !hasZip && 'unzip is not installed' }, async (t) => {
  const { port } = projectsIn(t)
  const { files, folder } = await made(port, 'panel-python')
  writeFileSync(join(folder, 'taken.zip'), await port.pack(files))

  await run('unzip', ['-q', 'taken.zip', '-d', 'taken'], { cwd: folder })

  for (const { path, text } of files) assert.equal(readFileSync(join(folder, 'taken', path), 'utf8'), text)
})

test('what runs programs here is asked of the device', async (t) => {
  const { port } = projectsIn(t, linuxPrograms())
  const runtimes = await port.runtimes()
  assert.equal(runtimes.node, process.versions.node)
  assert.equal(runtimes.python !== null, hasPython)

  const without = await projectsIn(t).port.runtimes()
  assert.deepEqual(without, { node: process.versions.node, python: null, numpy: null })
})
