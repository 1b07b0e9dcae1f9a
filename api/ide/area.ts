// What editors ask: how to reach this device, and projects of plugins.
import { DIRECTORY } from '../../actors/directory.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { HOST_NAME } from '../../machines/http/host-name.ts'
import { IdeConnection, typedClientOf } from '../../machines/ide/connection.ts'
import {
  IdeProjects,
  ideProjectExample,
  NewIdeProject,
  WholeIdeProject,
  wholeIdeProjectExample,
} from '../../machines/ide/project.ts'
import { languageOf, PROJECT_TEMPLATES, type ProjectTemplate } from '../../machines/ide/template.ts'
import { GraphDocument } from '../../machines/pipeline/graph.ts'
import { PLUGIN_API, PluginManifestFile } from '../../machines/plugins/manifest.ts'
import { PluginName } from '../../machines/plugins/name.ts'
import { PERMISSIONS, type Permission } from '../../machines/plugins/permission.ts'
import { about } from '../../machines/schema/about.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { IDE } from '../../native/ide/port.ts'
import { sendDocument } from '../endpoints/answer.ts'
import { areaOf } from '../endpoints/area.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { fault, sendProblem } from '../problems/problem.ts'

const needs = { directory: DIRECTORY, hostName: HOST_NAME, ide: IDE }

const ZIP = 'application/zip'

const LINKS = {
  openapi: '/v1/openapi.json',
  asyncapi: '/v1/asyncapi.json',
  explorer: '/docs',
  node_types: '/v1/pipelines/registry',
  events: '/v1/events',
  upload: '/v1/plugins/upload',
  install: '/v1/plugins/install',
  projects: '/v1/device/ide/projects',
} as const

const templates = (Object.keys(PROJECT_TEMPLATES) as ProjectTemplate[]).map((template) => ({
  template,
  language: languageOf(template),
  about: PROJECT_TEMPLATES[template],
}))

const permissions = (Object.keys(PERMISSIONS) as Permission[]).map((permission) => ({
  permission,
  about: PERMISSIONS[permission],
}))

/** As a client reads them: without what only the builder of schemas needs. */
const schemas = {
  manifest: JSON.parse(JSON.stringify(PluginManifestFile)) as Record<string, unknown>,
  graph: JSON.parse(JSON.stringify(GraphDocument)) as Record<string, unknown>,
}

const connectionExample: IdeConnection = {
  device: 'front-camera',
  version: '1.5.0',
  plugin_api: PLUGIN_API,
  api_base: 'http://10.12.34.11:5800',
  addresses: ['http://10.12.34.11:5800', 'http://front-camera.local:5800'],
  runtimes: { node: '24.21.0', python: '3.11.2', numpy: null },
  links: LINKS,
  typed_client: typedClientOf('http://10.12.34.11:5800', LINKS.openapi),
  templates: templates.slice(0, 1),
  permissions: permissions.slice(0, 1),
  schemas: { manifest: { type: 'object' }, graph: { type: 'object' } },
}

/** The addresses of this device: that by which it was asked, and that of its name. */
const addressesOf = (protocol: string, authority: string, name: string | undefined): readonly string[] => {
  const port = /:\d+$/.exec(authority)?.[0] ?? ''
  const byName = name ? [`${protocol}://${name}.local${port}`] : []
  return [...new Set([`${protocol}://${authority}`, ...byName])]
}

export const ideArea = areaOf(needs, ({ directory, hostName, ide }) =>
  area('ide', 'Working on plugins with an editor.', [
    read('GET', '/v1/device/ide', {
      summary: 'What an editor needs to work on plugins for this device',
      about: oneLine`
        Its addresses, what typed clients are generated from, what runs programs here, and the JSON schemas of
        manifests and pipelines, by which editors complete and check.
      `,
      answer: IdeConnection,
      example: connectionExample,
      get: async ({ request: { protocol, authority } }) => ({
        device: hostName.value ?? '',
        version: directory.identity.version,
        plugin_api: PLUGIN_API,
        api_base: `${protocol}://${authority}`,
        addresses: addressesOf(protocol, authority, hostName.value),
        runtimes: await ide.runtimes(),
        links: LINKS,
        typed_client: typedClientOf(`${protocol}://${authority}`, LINKS.openapi),
        templates,
        permissions,
        schemas,
      }),
    }),

    custom('GET', '/v1/device/ide/projects', {
      because: 'it can be had as a zip, too',
      summary: 'Projects of plugins',
      about: oneLine`
        Those that were made on this device. Each is a folder, in which one may also work on the device itself. With
        \`name\` the files of that one are shown as they are now, as JSON or as a zip to take along; hidden files,
        \`node_modules\`, what is no text, and what is longer than 256 KiB are left out.
      `,
      query: {
        name: Type.Optional(about(PluginName, 'Its files are shown, too.')),
        as: Type.Optional(
          Type.Enum(['json', 'zip'], { default: 'json', description: 'zip: the files of the named project.' }),
        ),
      },
      answer: {
        status: 'ok',
        mediaType: 'application/json',
        otherForms: [
          { mediaType: ZIP, schema: Type.String({ format: 'binary', description: 'The files of the project.' }) },
        ],
        schema: IdeProjects,
        example: { items: [ideProjectExample], project: wholeIdeProjectExample },
      },
      serve: async ({ query: { name, as = 'json' } }, reply) => {
        if (as === 'zip' && name === undefined)
          return sendProblem(reply, fault('query.invalid', 'a zip is of one project; say which with name'))
        const project = name === undefined ? null : await ide.project(name)
        if (project === undefined)
          return sendProblem(reply, fault('document.unknown', `there is no project ${name} on this device`))
        if (isFault(project)) return sendProblem(reply, project)
        if (as === 'json' || project === null) {
          const items = await ide.projects()
          return sendDocument(reply, 'ok', isFault(items) ? items : { items, project })
        }
        return reply
          .headers({ 'content-disposition': `attachment; filename="${name}.zip"`, 'cache-control': 'no-store' })
          .type(ZIP)
          .send(await ide.pack(project.files))
      },
      faults: ['document.unknown', 'storage.failed'],
    }),

    custom('POST', '/v1/device/ide/projects', {
      because: "no actor writes projects: they are folders, each written once and then their makers'",
      summary: 'Make a project of a plugin',
      about: oneLine`
        From a template: a manifest, a program, and a test that runs at once and without a device. The
        answer has its files, to be worked on anywhere; on the device they lie in \`folder\`. Nothing of it runs on the
        device before it is packed, uploaded and installed.
      `,
      body: { schema: NewIdeProject, example: { name: 'note-finder', template: 'program-typescript' } },
      answer: {
        status: 'ok',
        mediaType: 'application/json',
        schema: WholeIdeProject,
        example: wholeIdeProjectExample,
      },
      serve: async ({ body }, reply) => sendDocument(reply, 'ok', await ide.create(body)),
      faults: ['document.exists', 'document.too_many', 'storage.full', 'storage.failed'],
    }),
  ]),
)
