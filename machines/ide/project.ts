// Projects of plugins, as the interface shows and takes them.
import type { Static } from 'typebox'
import { PluginName } from '../plugins/name.ts'
import { Name } from '../schema/name.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { ProjectTemplateName } from './template.ts'

const strict = { additionalProperties: false } as const

/** So many lie on a device at most. */
export const MAX_PROJECTS = 64

const fields = {
  name: PluginName,
  title: Type.String({ maxLength: 60, description: 'For people.' }),
  template: ProjectTemplateName,
  created_at_ms: Type.Integer({ minimum: 0, description: 'Unix time.' }),
  folder: Type.String({ description: 'Where it lies on the device.' }),
  test: Type.String({ description: 'The command that tests it, in its folder. It needs no device.' }),
  pack: Type.String({
    description: oneLine`
      A command that packs it, in its folder, into a zip beside it for \`POST /v1/plugins/upload\`. Any other program
      that makes zips does, too.
    `,
  }),
}

export const IdeProject = Type.Object(fields, {
  ...strict,
  title: 'IdeProject',
  description: 'A project of a plugin that was made on this device.',
})
export type IdeProject = Static<typeof IdeProject>

const ProjectFileDocument = Type.Object(
  {
    path: Type.String({ description: 'In the project, with slashes.' }),
    text: Type.String({ description: 'All of it.' }),
  },
  { ...strict, title: 'IdeProjectFile', description: 'A text file of a project.' },
)

const files = Type.Array(ProjectFileDocument, { description: 'All that a project consists of, by path.' })

/** A project with its files. */
export const WholeIdeProject = Type.Object(
  { ...fields, files },
  { ...strict, title: 'WholeIdeProject', description: 'A project of a plugin, with its files.' },
)
export type WholeIdeProject = Static<typeof WholeIdeProject>

export const IdeProjects = Type.Object(
  {
    items: Type.Array(IdeProject, { description: 'By name.' }),
    project: Type.Union([WholeIdeProject, Type.Null()], {
      description: 'The one that was asked for by name, with its files; null: none was asked for.',
    }),
  },
  { ...strict, title: 'IdeProjects', description: 'The projects of plugins on this device.' },
)

export type IdeProjects = Static<typeof IdeProjects>

export const NewIdeProject = Type.Object(
  {
    name: PluginName,
    template: ProjectTemplateName,
    title: Type.Optional(Name(60, 'Of the plugin, for people. Default: made of the name.')),
  },
  {
    ...strict,
    title: 'NewIdeProject',
    description: oneLine`
      A project that is to be made. It gets a folder of its name, a manifest, a program and a test.
    `,
  },
)
export type NewIdeProject = Static<typeof NewIdeProject>

export const ideProjectExample: IdeProject = {
  name: 'note-finder',
  title: 'Note finder',
  template: 'program-typescript',
  created_at_ms: 1_795_000_000_000,
  folder: '/var/lib/vedette/plugins/projects/note-finder',
  test: 'node --test',
  pack: 'zip -qr ../note-finder.zip .',
}

export const wholeIdeProjectExample: WholeIdeProject = {
  ...ideProjectExample,
  files: [{ path: 'main.ts', text: "import { plugin } from 'vedette-plugin'\n" }],
}
