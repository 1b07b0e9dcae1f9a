// Projects that lie on no disk.
import type { Fault } from '../../machines/errors/fault.ts'
import { titleFor } from '../../machines/ide/fill-template.ts'
import type { NewIdeProject, WholeIdeProject } from '../../machines/ide/project.ts'
import { commandsOf } from '../../machines/ide/template.ts'
import type { IdePort } from './port.ts'
import { templateFiles } from './template-files.ts'
import { zipOfTexts } from './zip-of-texts.ts'

export class FakeIde implements IdePort {
  readonly pack = zipOfTexts
  /** By name. */
  readonly made = new Map<string, WholeIdeProject>()
  /** Why nothing is done, while it is set. */
  fault: Fault | null = null

  readonly projects = async () => this.fault ?? [...this.made.values()].map(({ files: _, ...project }) => project)

  readonly project = async (name: string) => this.fault ?? this.made.get(name)

  readonly create = async (wanted: NewIdeProject): Promise<WholeIdeProject | Fault> => {
    const { name, template, title = titleFor(name) } = wanted
    if (this.fault) return this.fault
    if (this.made.has(name)) return { code: 'document.exists', detail: `there is a project ${name} already` }
    const folder = `/plugins/projects/${name}`
    const files = [...(await templateFiles(wanted))]
    const project = { name, title, template, created_at_ms: 0, folder, ...commandsOf(name, template), files }
    this.made.set(name, project)
    return project
  }

  readonly runtimes = async () => ({ node: '24.0.0', python: '3.11.2', numpy: null })
}
