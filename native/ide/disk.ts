// Projects of plugins as folders of the data directory. People may work in them: what is in a folder counts, and not
// what was once put into it.
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { type ProjectFile, titleFor } from '../../machines/ide/fill-template.ts'
import { type IdeProject, MAX_PROJECTS, type NewIdeProject, type WholeIdeProject } from '../../machines/ide/project.ts'
import { commandsOf, PROJECT_TEMPLATES, type ProjectTemplate } from '../../machines/ide/template.ts'
import { isFullDisk, syncSoon, writeFileWholeSoon } from '../files/atomic.ts'
import { SerialQueue } from '../files/serial-queue.ts'
import { pythonHere } from '../programs/plugin-runtime.ts'
import type { ProgramsPort } from '../programs/port.ts'
import type { IdePort, IdeRuntimes } from './port.ts'
import { templateFiles } from './template-files.ts'
import { zipOfTexts } from './zip-of-texts.ts'

/** What a project is known by, in its folder. */
const RECORD = '.vedette-project.json'

/** Of a folder in which people work the rest is not shown: it is no text of theirs. */
const MAX_FILES = 200
const MAX_FILE_BYTES = 256 * 1024

const NOT_THEIRS = /(^|\/)(\.[^/]*|node_modules|__pycache__)(\/|$)/

/** What projects on a disk are kept with. */
export interface DiskProjectsParts {
  /** In which each project has a folder of its name. */
  readonly folder: string
  readonly nowMs: () => number
  readonly programs: ProgramsPort
}

interface ProjectRecord {
  readonly title: string
  readonly template: ProjectTemplate
  readonly created_at_ms: number
}

export class DiskProjects implements IdePort {
  readonly pack = zipOfTexts
  readonly #parts: DiskProjectsParts
  readonly #queue = new SerialQueue()
  #python: Promise<Omit<IdeRuntimes, 'node'>> | undefined

  constructor(parts: DiskProjectsParts) {
    this.#parts = parts
  }

  readonly projects = (): Promise<readonly IdeProject[] | Fault> =>
    orFault('the projects could not be read', async () => {
      const names = await this.#names()
      const found = await Promise.all(names.map((name) => this.#read(name)))
      return found.filter((each) => each !== undefined)
    })

  readonly project = (name: string): Promise<WholeIdeProject | undefined | Fault> =>
    orFault(`the project ${name} could not be read`, async () => {
      const project = await this.#read(name)
      return project && { ...project, files: await textsIn(join(this.#parts.folder, name)) }
    })

  readonly create = (wanted: NewIdeProject): Promise<WholeIdeProject | Fault> =>
    this.#queue.inTurn(() =>
      orFault(`the project ${wanted.name} was not made`, async () => {
        const { name, template, title } = wanted
        const folder = join(this.#parts.folder, name)
        const names = await this.#names()
        if (names.includes(name)) return exists(name, folder)
        if (names.length >= MAX_PROJECTS) return tooMany(this.#parts.folder)
        const record: ProjectRecord = { title: title ?? titleFor(name), template, created_at_ms: this.#parts.nowMs() }
        const files = await templateFiles(wanted)
        await this.#write(folder, [...files, { path: RECORD, text: `${JSON.stringify(record, null, 2)}\n` }])
        return { ...projectOf(name, folder, record), files: [...files] }
      }),
    )

  readonly runtimes = async (): Promise<IdeRuntimes> => {
    this.#python ??= Effect.runPromise(lookAtPython(this.#parts.programs))
    const python = await this.#python
    if (python.python === null || python.numpy === null) this.#python = undefined // it may be installed meanwhile
    return { node: process.versions.node, ...python }
  }

  async #names(): Promise<readonly string[]> {
    const entries = await readdir(this.#parts.folder, { withFileTypes: true }).catch(nothingThere)
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort()
  }

  /** undefined: it is no project, or not one of this service. */
  async #read(name: string): Promise<IdeProject | undefined> {
    const folder = join(this.#parts.folder, name)
    const text = await readFile(join(folder, RECORD), 'utf8').catch(() => undefined)
    const record = text === undefined ? undefined : recordIn(text)
    return record && projectOf(name, folder, record)
  }

  /** Whole or not at all: made beside its place. What a power cut left is no project, and is written over. */
  async #write(folder: string, files: readonly ProjectFile[]): Promise<void> {
    const beside = join(dirname(folder), `.${folder.slice(dirname(folder).length + 1)}.next`)
    await rm(beside, { recursive: true, force: true })
    try {
      for (const { path, text } of files) {
        await mkdir(dirname(join(beside, path)), { recursive: true })
        await writeFileWholeSoon(join(beside, path), text)
      }
      await rename(beside, folder)
    } catch (error) {
      await rm(beside, { recursive: true, force: true })
      throw error
    }
    await syncSoon(dirname(folder))
  }
}

/** Asks the Python that runs plugins, without what people have installed for themselves. */
const lookAtPython = (programs: ProgramsPort): Effect.Effect<Omit<IdeRuntimes, 'node'>> =>
  programs.run({ program: pythonHere() ?? 'python3', args: ['-I', '-c', ASK_PYTHON] }).pipe(
    Effect.map(({ exitCode, stdout }) => {
      const [python = null, numpy = null] = exitCode === 0 ? stdout.trim().split('\n') : []
      return { python, numpy }
    }),
    Effect.catch(() => Effect.succeed({ python: null, numpy: null })),
  )

const ASK_PYTHON = `
import sys
print(sys.version.split()[0])
try:
    import numpy
    print(numpy.__version__)
except ImportError:
    pass
`

const projectOf = (name: string, folder: string, record: ProjectRecord): IdeProject => ({
  name,
  ...record,
  folder,
  ...commandsOf(name, record.template),
})

const recordIn = (text: string): ProjectRecord | undefined => {
  try {
    const { title, template, created_at_ms } = JSON.parse(text) as Partial<ProjectRecord>
    const isWhole = typeof title === 'string' && title.length <= 60 && Number.isSafeInteger(created_at_ms)
    if (!isWhole || !template || !Object.hasOwn(PROJECT_TEMPLATES, template)) return undefined
    return { title, template, created_at_ms: Math.max(0, created_at_ms as number) }
  } catch {
    return undefined
  }
}

/** The texts of a folder, by path; links lead out of it and are not followed. */
const textsIn = async (root: string): Promise<ProjectFile[]> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !NOT_THEIRS.test(path))
    .sort()
  const files: ProjectFile[] = []
  for (const path of paths.slice(0, MAX_FILES)) {
    const { size } = await stat(join(root, path))
    const bytes = size > MAX_FILE_BYTES ? undefined : await readFile(join(root, path))
    if (bytes && !bytes.includes(0)) files.push({ path, text: bytes.toString('utf8') })
  }
  return files
}

const nothingThere = (error: NodeJS.ErrnoException): never[] => {
  if (error.code === 'ENOENT') return []
  throw error
}

const orFault = async <T>(what: string, work: () => Promise<T | Fault>): Promise<T | Fault> => {
  try {
    return await work()
  } catch (error) {
    const { message } = error as Error
    return { code: isFullDisk(error) ? 'storage.full' : 'storage.failed', detail: `${what}: ${message}` }
  }
}

const exists = (name: string, folder: string): Fault => ({
  code: 'document.exists',
  detail: `there is a project ${name} already, in ${folder}; choose another name, or remove that folder`,
})

const tooMany = (folder: string): Fault => ({
  code: 'document.too_many',
  detail: `there are ${MAX_PROJECTS} projects already, as many as can be kept; remove some of the folders in ${folder}`,
})
