// The templates that a project of a plugin can begin with.
import { enumOf } from '../schema/enum-of.ts'

/** What each of them is. */
export const PROJECT_TEMPLATES = {
  'program-typescript': 'a program in TypeScript that watches a stream and publishes NT topics',
  'program-python': 'a program in Python that watches a stream and publishes NT topics',
  'node-typescript': 'a node of pipelines in TypeScript, which is run for each picture',
  'node-python': 'a node of pipelines in Python with NumPy, which is run for each picture',
  'panel-typescript': 'a panel on the page that shows what a stream finds, with a test in TypeScript',
  'panel-python': 'a panel on the page, and a program in Python that it talks to',
} as const

export type ProjectTemplate = keyof typeof PROJECT_TEMPLATES

export const ProjectTemplateName = enumOf(PROJECT_TEMPLATES, 'IdeTemplateName')

export type ProjectLanguage = 'typescript' | 'python'

/** In which language the test of a template is written, and its program where it has one. */
export const languageOf = (template: ProjectTemplate): ProjectLanguage =>
  template.endsWith('-python') ? 'python' : 'typescript'

/** The folders of `native/ide/templates` whose files make a template together; a later one wins. */
export const foldersOf = (template: ProjectTemplate): readonly string[] => [
  `any-${languageOf(template)}`,
  ...(template.startsWith('panel-') ? ['any-panel'] : []),
  template,
]

/** Commands that are run in the folder of a project. */
export interface ProjectCommands {
  /** Tests it, without the service. */
  readonly test: string
  /** Packs it into a zip beside its folder, which the service takes. */
  readonly pack: string
}

const TESTS: Readonly<Record<ProjectLanguage, string>> = { typescript: 'node --test', python: 'python3 -m unittest' }

/** Those of a project of this name. */
export const commandsOf = (name: string, template: ProjectTemplate): ProjectCommands => ({
  test: TESTS[languageOf(template)],
  pack: `zip -qr ../${name}.zip .`,
})
