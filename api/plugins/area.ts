// Plugins: packages that are uploaded, and what is installed of them.
import { DIRECTORY } from '../../actors/directory.ts'
import { PLUGINS } from '../../actors/plugins/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { pluginChanged } from '../../machines/plugins/events.ts'
import { PLUGIN_API } from '../../machines/plugins/manifest.ts'
import { PluginName } from '../../machines/plugins/name.ts'
import { manifestSchema } from '../../machines/plugins/package/manifest-schema.ts'
import { PluginUpload, UploadName } from '../../machines/plugins/package/release-note.ts'
import { MANIFEST_NAME } from '../../machines/plugins/package/rules.ts'
import { PermissionWord } from '../../machines/plugins/permission.ts'
import { Plugin, pluginExample } from '../../machines/plugins/plugin.ts'
import { noPlugin } from '../../machines/plugins/stored-plugin.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { type OpenedPackage, PLUGIN_PACKAGES } from '../../native/plugins/packages/port.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { file } from '../endpoints/file.ts'
import { read } from '../endpoints/read.ts'
import { upload } from '../endpoints/upload.ts'
import { fault } from '../problems/problem.ts'
import { packageExample, uploadExample } from './wire.ts'

const strict = { additionalProperties: false } as const

const params = { name: PluginName }

const ZIP = 'application/zip'

/** A package that is fetched and unpacked, and its program that has to come up. */
const INSTALL_LIMIT_MS = 300_000
/** A program that has to come up, or to end. */
const RUN_LIMIT_MS = 90_000

const Grant = Type.Array(PermissionWord, {
  uniqueItems: true,
  description: oneLine`
    What it may do, of what its manifest asks for. Default: what it was granted before, of what it still asks for; at
    first nothing.
  `,
})

const PluginList = Type.Object(
  {
    api: Type.Integer({ minimum: 1, description: 'The interface for plugins that this service has.' }),
    items: Type.Array(Plugin, { description: 'Those that are installed, in this order.' }),
    uploads: Type.Array(PluginUpload, { description: 'Packages that were uploaded, the newest first.' }),
  },
  { ...strict, title: 'PluginList', description: 'The plugins of this device.' },
)

const SchemaDocument = Type.Record(Type.String(), Type.Unknown(), {
  title: 'PluginManifestSchema',
  description: 'A JSON Schema.',
})

const InstallOrder = Type.Object(
  {
    upload: Type.Optional(UploadName),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_096,
        description: 'Absolute path of a package on this device, in a folder whose files streams may read.',
      }),
    ),
    url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: oneLine`
          Where a package is fetched: only from hosts that an administrator of the device allowed
          (\`VEDETTE_PLUGIN_HOSTS\`), over https, or over http in private networks; never through a redirect.
        `,
      }),
    ),
    grant: Type.Optional(Grant),
    enable: Type.Optional(Type.Boolean({ description: 'Whether it is enabled at once. Default: true.' })),
  },
  { ...strict, title: 'PluginInstallOrder', description: 'One of upload, path and url says which package.' },
)

const EnableOrder = Type.Object(
  { grant: Type.Optional(Grant) },
  { ...strict, title: 'PluginEnableOrder', description: 'What it may do from now on.' },
)

const KEEP_FAULTS = ['storage.full', 'storage.failed', 'storage.in_use', 'storage.unavailable'] as const

const needs = { directory: DIRECTORY, plugins: PLUGINS, packages: PLUGIN_PACKAGES }

export const pluginArea = areaOf(needs, ({ plugins, packages }) => {
  const view = (name: string) => plugins.view(name) ?? noPlugin(name)
  const answer = {
    schema: Plugin,
    example: pluginExample,
    of: (_: unknown, { id }: { readonly id: string }) => view(id),
  }
  const order = { access: 'administer', conditional: true, to: 'plugin-keeper', publishes: [pluginChanged] } as const

  return area('plugins', 'Plugins: packages that add nodes, routes, panels and jobs to the device.', [
    read('GET', '/v1/plugins', {
      summary: 'All plugins, and the packages that were uploaded',
      about: oneLine`
        \`granted\` is what a plugin may do of what its manifest asks for (\`permissions\`), \`fault\` why it is
        disabled when nobody ordered that, or why it went back to its previous version.
      `,
      answer: PluginList,
      example: { api: PLUGIN_API, items: [pluginExample], uploads: [uploadExample] },
      get: async () => ({ api: PLUGIN_API, items: plugins.list(), uploads: await packages.uploads() }),
      faults: [],
    }),

    read('GET', '/v1/plugins/schema', {
      summary: 'The schema of the file vedette-plugin.json',
      about: 'JSON Schema, for editors: a file that has this address as its `$schema` is completed as it is written.',
      answer: SchemaDocument,
      example: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
      get: () => manifestSchema(),
      faults: [],
    }),

    upload('POST', '/v1/plugins/upload', {
      summary: 'Upload the package of a plugin',
      about: oneLine`
        The body is the zip itself, of up to 64 MB, with ${MANIFEST_NAME} at its top. All of it is checked, and nothing
        of it runs before it is installed. An archive with links, names that lead elsewhere or differ only in case,
        encrypted or overlapping entries, wrong sums, or more than 2,000 files or 256 MB unpacked is refused with a
        sentence. The last eight uploads are kept; one of the same name and version takes the place of the other.
      `,
      access: 'administer',
      mediaTypes: [ZIP, 'application/octet-stream'],
      upload: packageExample,
      answer: {
        status: 'created',
        schema: PluginUpload,
        example: uploadExample,
        location: ({ upload }: PluginUpload) => `/v1/plugins/uploads/${upload}`,
      },
      take: (_, bytes) => packages.receive(bytes),
      faults: ['plugin.refused', 'device.failed', 'storage.full', 'storage.failed'],
    }),

    file('GET', '/v1/plugins/uploads/:name', {
      params: { name: UploadName },
      summary: 'Download an uploaded package',
      mediaType: ZIP,
      open: async ({ params: { name } }) => served(await packages.openUpload(name)),
      faults: ['plugin.no_upload', 'storage.failed'],
    }),

    command('POST', '/v1/plugins/install', {
      ...order,
      summary: 'Install a plugin, or another version of it',
      about: oneLine`
        Answers when the plugin has come up, or with why it has not. A new plugin that does not come up stays installed,
        and disabled; an upgrade that does not is undone: the previous version is installed again, and runs if it ran.
        Its own data stays. Whatever moment the power goes at, it is the one version or the other.
      `,
      limitMs: INSTALL_LIMIT_MS,
      body: { schema: InstallOrder, example: { upload: uploadExample.upload, grant: ['topics'] } },
      send: async ({ body: { grant, enable = true, ...source }, expected }) => {
        const found = await takeFrom(packages, source)
        if (isFault(found)) return found
        return { type: 'plugin.install', upload: found.upload, enable, ...(grant && { grant }), ...expected }
      },
      answer,
      faults: [
        ...(['plugin.refused', 'plugin.no_upload', 'plugin.no_file', 'plugin.foreign_host'] as const),
        ...(['plugin.unreachable', 'plugin.not_asked', 'plugin.failed', 'plugin.missing', 'plugin.not_found'] as const),
        ...(['body.too_large', 'request.timeout', 'request.malformed', 'device.failed'] as const),
        ...(['document.invalid', 'document.too_many', ...KEEP_FAULTS] as const),
      ],
    }),

    command('POST', '/v1/plugins/:name/enable', {
      ...order,
      params,
      summary: 'Enable a plugin, or grant it something else',
      about: oneLine`
        Answers when it has come up. One that does not is disabled again, and \`fault\` says why. With another grant,
        its program is started again.
      `,
      limitMs: RUN_LIMIT_MS,
      body: { schema: EnableOrder, example: { grant: ['topics'] }, optional: true },
      send: ({ params: { name }, body: { grant } = {}, expected }) => ({
        type: 'plugin.enable',
        name,
        ...(grant && { grant }),
        ...expected,
      }),
      answer,
      faults: [
        ...(['plugin.not_found', 'plugin.missing', 'plugin.not_asked', 'plugin.failed'] as const),
        ...(['document.invalid', ...KEEP_FAULTS] as const),
      ],
    }),

    command('POST', '/v1/plugins/:name/disable', {
      ...order,
      params,
      summary: 'Disable a plugin',
      about: oneLine`
        Answers when its program has ended; its nodes in streams end some ten seconds later. It stays installed, and
        its data stays.
      `,
      limitMs: RUN_LIMIT_MS,
      send: ({ params: { name }, expected }) => ({ type: 'plugin.disable', name, ...expected }),
      answer,
      faults: ['plugin.not_found', 'document.invalid', ...KEEP_FAULTS],
    }),

    file('GET', '/v1/plugins/:name', {
      params,
      summary: 'Download the package of a plugin',
      about: 'As it was uploaded, of the version that is installed.',
      mediaType: ZIP,
      open: async ({ params: { name } }) => {
        const stored = plugins.stored(name)
        return stored ? served(await packages.openRelease(name, stored.release)) : noPlugin(name)
      },
      faults: ['plugin.not_found', 'plugin.missing', 'storage.failed'],
    }),

    file('GET', '/v1/plugins/disabled/:name', {
      params: { name: { ...PluginName, examples: ['quiet-panel'] } },
      summary: 'Download the package of a plugin that is disabled',
      mediaType: ZIP,
      open: async ({ params: { name } }) => {
        const stored = plugins.stored(name)
        if (stored?.state === 'disabled') return served(await packages.openRelease(name, stored.release))
        if (!stored) return noPlugin(name)
        return fault('plugin.not_found', `${name} is not disabled; its package is at /v1/plugins/${name}`)
      },
      faults: ['plugin.not_found', 'plugin.missing', 'storage.failed'],
    }),

    command('DELETE', '/v1/plugins/:name', {
      ...order,
      params,
      summary: 'Remove a plugin, with its data',
      about: oneLine`
        Answers when its program has ended and its files are gone; its nodes in streams end some ten seconds later.
        Pipelines with its nodes stay stored, and say what they miss.
      `,
      limitMs: RUN_LIMIT_MS,
      send: ({ params: { name }, expected }) => ({ type: 'plugin.remove', name, ...expected }),
      faults: ['plugin.not_found', 'document.invalid', ...KEEP_FAULTS],
    }),
  ])
})

/** Where a package is taken from. */
interface PackageSource {
  readonly upload?: string
  readonly path?: string
  readonly url?: string
}

const takeFrom = async (
  packages: { readonly takeFile: Take; readonly fetch: Take },
  { upload, path, url }: PackageSource,
): Promise<Pick<PluginUpload, 'upload'> | Fault> => {
  const given = [upload, path, url].filter((each) => each !== undefined)
  if (given.length !== 1)
    return fault('body.invalid', `the body names ${given.length} packages; name one, by upload, path or url`)
  if (upload !== undefined) return { upload }
  return path === undefined ? packages.fetch(url as string) : packages.takeFile(path)
}

type Take = (from: string) => Promise<PluginUpload | Fault>

const served = (opened: OpenedPackage | Fault) => {
  if (isFault(opened)) return opened
  const { sizeBytes, sha256, fileName, stream, close } = opened
  return { sizeBytes, etag: `"${sha256.slice(0, 16)}"`, name: fileName, mediaType: ZIP, isShown: false, stream, close }
}
