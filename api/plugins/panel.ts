// Panels of plugins on the page: where a frame finds its files, and the messages between a panel and its program.
import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { DIRECTORY } from '../../actors/directory.ts'
import { PLUGINS } from '../../actors/plugins/tokens.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { ENABLED_PLUGINS } from '../../machines/plugins/enabled.ts'
import type { InstalledPlugin } from '../../machines/plugins/installed.ts'
import { PluginName } from '../../machines/plugins/name.ts'
import {
  PANEL_FILE_NAME,
  PANEL_MODULE,
  PanelFileName,
  panelMediaType,
  panelPath,
  panelPolicy,
} from '../../machines/plugins/panel/panel-file.ts'
import { PLUGIN_PANELS } from '../../machines/plugins/panel/plugin-panels.ts'
import { PermissionWord } from '../../machines/plugins/permission.ts'
import { noPlugin } from '../../machines/plugins/stored-plugin.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { projectPath } from '../../native/files/project-root.ts'
import { sendDocument, sendEmpty } from '../endpoints/answer.ts'
import { areaOf } from '../endpoints/area.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'
import { read } from '../endpoints/read.ts'
import { fault } from '../problems/problem.ts'
import { MAX_PANELS, PanelListeners } from './panel-listeners.ts'
import { type PanelFile, panel } from './panel-row.ts'
import { PanelTickets } from './panel-tickets.ts'

const strict = { additionalProperties: false } as const

const MAX_FILE_BYTES = 8 * 1024 * 1024

/** With what stands around it. */
const MAX_MESSAGE_BYTES = 65_536 + 256

const needs = { directory: DIRECTORY, enabled: ENABLED_PLUGINS, panels: PLUGIN_PANELS, plugins: PLUGINS }

const Ticket = Type.String({
  pattern: '^[0-9a-z]{1,12}[.][A-Za-z0-9_-]{22}$',
  description: 'As the address of the panel has it.',
})

const PanelAddress = Type.Object(
  {
    url: Type.String({ description: 'The address of its first file, for a frame, from this device on.' }),
    title: Type.String({ description: 'On its tab.' }),
    version: Type.String({ description: 'Of the plugin.' }),
    granted: Type.Array(PermissionWord, { description: 'What the plugin may do, and so its panel.' }),
  },
  { ...strict, title: 'PluginPanelAddress', description: 'Where a panel of a plugin is found by a frame.' },
)

const Message = Type.Unknown({ description: 'JSON, whatever the panel and the program have agreed on.' })

const PanelMessage = Type.Object(
  { message: Message },
  { ...strict, title: 'PluginPanelMessage', description: 'Something that a panel says to its program.' },
)

const PanelSaying = Type.Object(
  { kind: Type.Literal('message', { description: 'Its sort.' }), message: Message },
  { ...strict, title: 'PluginPanelSaying', description: 'Something that a program says to its panels.' },
)

const PluginLine = Type.Object(
  {
    kind: Type.Literal('line', { description: 'Its sort.' }),
    line: Type.String({ description: 'For people.' }),
  },
  { ...strict, title: 'PluginLine', description: 'A line that the program of a plugin printed or logged.' },
)

/** As the page's own address has it: the policies of both name it. */
const originOf = ({ protocol, authority }: FastifyRequest): string => `${protocol}://${authority}`

/** A file of an installed package. Links that lead out of it lead nowhere. */
const readWithin = async (folder: string, parts: readonly string[]): Promise<Buffer | undefined> => {
  try {
    const [root, path] = [await realpath(folder), await realpath(join(folder, ...parts))]
    if (!path.startsWith(root + sep)) return undefined
    await using file = await open(path, 'r')
    const { size } = await file.stat()
    return size > MAX_FILE_BYTES ? undefined : await file.readFile()
  } catch {
    return undefined
  }
}

export const pluginPanelArea = areaOf(needs, ({ directory, enabled, panels, plugins }) => {
  const listeners = new PanelListeners(panels)
  const tickets = new PanelTickets(directory.clock.monotonicUs)
  const pluginOf = (name: string): InstalledPlugin | undefined =>
    enabled.value?.find(({ manifest }) => manifest.name === name)

  const addressOf = (name: string): object | Fault => {
    const plugin = pluginOf(name)
    const { panel: declared } = plugin?.manifest.provides ?? {}
    if (!plugin || !declared) return notEnabled(name)
    const { version } = plugin.manifest
    const url = `${panelPath(name, tickets.make(name, version))}index.html`
    return { url, title: declared.title, version, granted: [...plugin.granted] }
  }

  const fileOf = async (
    { name, ticket }: { readonly name: string; readonly ticket: string },
    request: FastifyRequest,
    parts: readonly string[],
  ): Promise<PanelFile | Fault> => {
    const plugin = pluginOf(name)
    const { panel: declared } = plugin?.manifest.provides ?? {}
    const mediaType = panelMediaType(parts.at(-1) ?? '')
    const isGood = plugin && declared && tickets.isGood(ticket, name, plugin.manifest.version)
    if (!isGood || mediaType === undefined || !parts.every((part) => FILE_NAME.test(part))) return nothing
    const bytes =
      parts.join('/') === PANEL_MODULE
        ? await readWithin(projectPath('ui'), parts)
        : await readWithin(join(plugin.folder, declared.folder), parts)
    return bytes ? { bytes, mediaType, policy: panelPolicy(originOf(request), panelPath(name, ticket)) } : nothing
  }

  const rows = [
    read('GET', '/v1/plugins/:name/panel', {
      params: { name: PluginName },
      summary: 'Where the panel of a plugin is found',
      about: oneLine`
        For a page that shows it in a frame with \`sandbox="allow-scripts"\`. The address is good for some hours, for
        whoever has it: it leads to files of the package, which hold no data of this device.
      `,
      answer: PanelAddress,
      example: {
        url: '/v1/plugins/note-finder/panel/6w1k.0123456789abcdefghijkl/index.html',
        title: 'Notes',
        version: '1.2.0',
        granted: ['read'],
      },
      get: ({ params: { name } }) => addressOf(name),
      faults: ['plugin.no_panel'],
    }),
    panel('/v1/plugins/:name/panel/:ticket/:file', {
      params: { name: PluginName, ticket: Ticket, file: PanelFileName },
      summary: 'A file of a panel',
      find: ({ params, request }) => fileOf(params, request, [params.file]),
      faults: ['route.not_found'],
    }),
    panel('/v1/plugins/:name/panel/:ticket/:folder/:file', {
      params: { name: PluginName, ticket: Ticket, folder: PanelFileName, file: PanelFileName },
      summary: 'A file in a folder of a panel',
      find: ({ params, request }) => fileOf(params, request, [params.folder, params.file]),
      faults: ['route.not_found'],
    }),
    custom('POST', '/v1/plugins/:name/messages', {
      because: 'no actor of this service carries it out: it is handed to a program, which answers when it likes',
      params: { name: PluginName },
      summary: 'Hand a message of a panel to the program of its plugin',
      about: 'It is on its way when it is answered; what the program says to it comes over the WebSocket of this path.',
      body: { schema: PanelMessage, example: { message: { reset: true } }, maxBytes: MAX_MESSAGE_BYTES },
      answer: { status: 'empty' },
      serve: ({ params: { name }, body }, reply) => {
        const problem = pluginOf(name) ? panels.send(name, body.message) : notEnabled(name)
        return problem ? sendDocument(reply, 'ok', problem) : sendEmpty(reply, undefined)
      },
      faults: ['plugin.not_running', 'plugin.no_panel'],
    }),
    feed('GET', '/v1/plugins/:name/messages', {
      params: { name: PluginName },
      summary: 'What the program of a plugin says to its panels, and what it prints',
      about: oneLine`
        From now on; who is slow misses some. ${MAX_PANELS} may listen at the device. A plugin that is not enabled says
        nothing until it is.
      `,
      messages: [
        { name: 'message', schema: PanelSaying, example: { kind: 'message', message: { text: 'ready' } } },
        { name: 'line', schema: PluginLine, example: { kind: 'line', line: 'info: watching 2 streams' } },
      ],
      admit: ({ params: { name } }) => {
        if (!plugins.stored(name)) return noPlugin(name)
        if (!listeners.isFull) return undefined
        return fault('viewer.too_many', `${MAX_PANELS} panels are open at this device; close one first`)
      },
      accept: ({ params: { name }, request }, socket) => listeners.accept(name, socket, request.socket),
      faults: ['plugin.not_found', 'viewer.too_many'],
    }),
  ]
  return { ...area('panels', 'Panels of plugins on the page.', rows), close: () => listeners.close() }
})

const notEnabled = (name: string): Fault =>
  fault('plugin.no_panel', `no plugin ${name} is enabled here that has a panel; enable it first`)

const FILE_NAME = new RegExp(PANEL_FILE_NAME)

const nothing = fault(
  'route.not_found',
  'there is no such file of a panel, or the ticket for it is over; open it again',
)
