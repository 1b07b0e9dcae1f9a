// What an editor needs to know of this device to work on plugins for it.
import type { Static } from 'typebox'
import { PermissionWord } from '../plugins/permission.ts'
import { enumOf } from '../schema/enum-of.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { ProjectTemplateName } from './template.ts'

const strict = { additionalProperties: false } as const

const Told = Type.String({ description: 'For people.' })

const Runtimes = Type.Object(
  {
    node: Type.String({ description: 'The version of Node that runs programs in JavaScript and TypeScript.' }),
    python: orNull(Type.String(), 'The version of the Python of the device; null: it has none, or none can be run.'),
    numpy: orNull(Type.String(), 'The version of NumPy for that Python; null: it has none.'),
  },
  { ...strict, title: 'IdeRuntimes', description: 'What runs programs of plugins here.' },
)

const Links = Type.Object(
  {
    openapi: Type.String({ description: 'The HTTP interface, from which typed clients are generated.' }),
    asyncapi: Type.String({ description: 'The WebSockets.' }),
    explorer: Type.String({ description: 'A page on which the interface can be tried.' }),
    node_types: Type.String({ description: 'The nodes of pipelines, with their ports and parameters.' }),
    events: Type.String({ description: 'A WebSocket that tells what happens.' }),
    upload: Type.String({ description: 'Takes a packed plugin (POST).' }),
    install: Type.String({ description: 'Installs one that was uploaded (POST).' }),
    projects: Type.String({ description: 'Makes projects (POST).' }),
  },
  { ...strict, title: 'IdeLinks', description: 'Addresses on this device.' },
)

/** With which the client of the page is made, and which its tests compile. */
export const CLIENT_GENERATOR = 'openapi-typescript@7.13.0'
export const CLIENT_LIBRARY = 'openapi-fetch@0.17.0'

const TypedClient = Type.Object(
  {
    command: Type.String({
      description:
        'Makes `vedette.d.ts`: the types of the interface as this device has it. It needs npm and its registry.',
    }),
    library: Type.String({ description: 'The package for npm that sends requests by these types, as the page does.' }),
  },
  { ...strict, title: 'IdeTypedClient', description: 'How a program in TypeScript gets a typed client.' },
)

/** Of the device at this address. openapi: the path of its description. */
export const typedClientOf = (base: string, openapi: string): Static<typeof TypedClient> => ({
  command: `npx ${CLIENT_GENERATOR} ${base}${openapi} -o vedette.d.ts`,
  library: CLIENT_LIBRARY,
})

export const IdeConnection = Type.Object(
  {
    device: Type.String({ description: 'The name of the device.' }),
    version: Type.String({ description: 'Of the service.' }),
    plugin_api: Type.Integer({ minimum: 1, description: 'The interface between plugins and this service.' }),
    api_base: Type.String({ description: 'The address by which this was asked.' }),
    addresses: Type.Array(Type.String(), { description: 'All by which it may be asked, the best first.' }),
    runtimes: Runtimes,
    links: Links,
    typed_client: TypedClient,
    templates: Type.Array(
      Type.Object(
        {
          template: ProjectTemplateName,
          language: enumOf({ typescript: 'run by Node', python: 'run by Python' }, 'IdeLanguage'),
          about: Told,
        },
        { ...strict, title: 'IdeTemplate', description: 'What a project can begin with.' },
      ),
      { description: 'All that there are.' },
    ),
    permissions: Type.Array(
      Type.Object(
        { permission: PermissionWord, about: Told },
        { ...strict, title: 'IdePermission', description: 'What a plugin can ask for.' },
      ),
      { description: 'All that there are.' },
    ),
    schemas: Type.Object(
      {
        manifest: Type.Record(Type.String(), Type.Unknown(), { description: 'Of `vedette-plugin.json`.' }),
        graph: Type.Record(Type.String(), Type.Unknown(), { description: 'Of a pipeline.' }),
      },
      { ...strict, title: 'IdeSchemas', description: 'JSON schemas, by which editors complete and check.' },
    ),
  },
  { ...strict, title: 'IdeConnection', description: 'What an editor needs to work on plugins for this device.' },
)
export type IdeConnection = Static<typeof IdeConnection>
