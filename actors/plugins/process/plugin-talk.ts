// What is said between this service and one run of a plugin's program, and what becomes of it. It ends with the run.
import type { Fault } from '../../../machines/errors/fault.ts'
import { pluginEvent } from '../../../machines/plugins/events.ts'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import { PLUGIN_API } from '../../../machines/plugins/manifest.ts'
import type { Permission } from '../../../machines/plugins/permission.ts'
import {
  type FromPlugin,
  type FromPluginType,
  MAX_PLUGIN_JSON_BYTES,
} from '../../../machines/plugins/process/messages.ts'
import type { PluginAnswer, PluginRequest } from '../../../machines/plugins/process/route.ts'
import type { PluginProgram } from '../../../native/plugins/process/port.ts'
import type { EventBus } from '../../events/event-bus.ts'
import { Allowance } from './allowance.ts'
import { PluginAsks, type PluginAsksParts } from './plugin-asks.ts'
import { PluginJobs, type PluginJobsParts } from './plugin-jobs.ts'
import { notTaken, PluginRequests } from './plugin-requests.ts'
import { PluginTopics, type PluginTopicsParts } from './plugin-topics.ts'
import { PluginWatches, type PluginWatchesParts } from './plugin-watches.ts'

/** What it is made with. */
export interface PluginTalkParts extends PluginTopicsParts, PluginWatchesParts, PluginAsksParts, PluginJobsParts {
  readonly events: Pick<EventBus, 'publish'>
  /** It said that it is ready. */
  readonly ready: () => void
  readonly refused: (why: string) => void
  readonly printed: (line: string) => void
  /** Told what it says to its panels. */
  readonly tellPanels: (message: unknown) => void
}

const EVENTS_PER_S = 20
const PANEL_MESSAGES_PER_S = 60

type MessageOf<Type extends FromPluginType> = Extract<FromPlugin, { readonly type: Type }>
type Hears = { readonly [Type in FromPluginType]: (message: MessageOf<Type>, bytes: Uint8Array | undefined) => void }

export class PluginTalk {
  readonly #plugin: InstalledPlugin
  readonly #program: PluginProgram
  readonly #parts: PluginTalkParts
  readonly #requests: PluginRequests
  readonly #topics: PluginTopics
  readonly #watches: PluginWatches
  readonly #asks: PluginAsks
  readonly #jobs: PluginJobs
  readonly #events: Allowance
  readonly #panelMessages: Allowance

  constructor(plugin: InstalledPlugin, program: PluginProgram, parts: PluginTalkParts) {
    this.#plugin = plugin
    this.#program = program
    this.#parts = parts
    const { name } = plugin.manifest
    this.#requests = new PluginRequests(name, program)
    this.#topics = new PluginTopics(name, parts)
    this.#watches = new PluginWatches(program, parts)
    this.#asks = new PluginAsks(plugin, program, parts)
    this.#jobs = new PluginJobs(plugin, program, parts)
    this.#events = new Allowance(EVENTS_PER_S, parts.nowUs)
    this.#panelMessages = new Allowance(PANEL_MESSAGES_PER_S, parts.nowUs)
  }

  /** The first that it hears. */
  start(): void {
    const { manifest, folder, data_folder, granted } = this.#plugin
    const { name, version } = manifest
    this.#program.send({
      type: 'start',
      api: PLUGIN_API,
      name,
      version,
      folder,
      data_folder,
      granted: [...granted],
    })
  }

  hear(message: FromPlugin, bytes: Uint8Array | undefined): void {
    const hear = this.#hears[message.type] as (message: FromPlugin, bytes: Uint8Array | undefined) => void
    hear(message, bytes)
  }

  readonly #hears: Hears = {
    ready: () => this.#parts.ready(),
    publish: ({ topic, nt_type, value }, bytes) => {
      if (this.#may('topics', 'publish')) this.#heed(this.#topics.publish(topic, nt_type, value, bytes))
    },
    unpublish: ({ topic }) => this.#topics.unpublish(topic),
    event: ({ kind, data }) => {
      const declared = this.#plugin.manifest.provides.events ?? []
      if (!declared.includes(kind)) this.#parts.refused(`its manifest has no event ${kind}`)
      else if (isTooLong(data)) this.#parts.refused('the data of an event is longer than 64 KiB')
      else if (!this.#events.take()) this.#parts.refused(`it tells more than ${EVENTS_PER_S} events a second`)
      else
        this.#parts.events.publish(pluginEvent, {
          resource_ref: { plugin_name: this.#plugin.manifest.name },
          data: { kind, data: data ?? null },
        })
    },
    log: ({ level, text }) => this.#parts.printed(`${level}: ${text}`),
    reply: (reply, bytes) => this.#heed(this.#requests.reply(reply, bytes)),
    panel: ({ message }) => {
      if (isTooLong(message)) this.#parts.refused('a message to panels is longer than 64 KiB')
      else if (this.#panelMessages.take()) this.#parts.tellPanels(message)
      else this.#parts.refused(`it sends more than ${PANEL_MESSAGES_PER_S} messages a second to its panels`)
    },
    job_start: (order) => this.#jobs.start(order),
    job_progress: (progress) => this.#jobs.progress(progress),
    job_done: (done) => this.#jobs.done(done),
    ask: (ask) => this.#asks.ask(ask),
    watch: (watch) => {
      if (this.#may('read', 'watch')) this.#heed(this.#watches.watch(watch))
    },
    unwatch: ({ watch }) => this.#watches.unwatch(watch),
  }

  request(request: PluginRequest): Promise<PluginAnswer | Fault> {
    return this.#requests.ask(request)
  }

  /** A message of a panel. */
  tellOfPanel(message: unknown): Fault | undefined {
    return this.#program.send({ type: 'panel', message }) ? undefined : notTaken(this.#plugin.manifest.name)
  }

  /** The run is over. */
  close(why: Fault): void {
    this.#requests.close(why)
    this.#topics.close()
    this.#watches.close()
    this.#asks.close()
    this.#jobs.close(why)
  }

  #may(permission: Permission, what: string): boolean {
    const may = this.#plugin.granted.includes(permission)
    if (!may) this.#parts.refused(`${what} takes the permission ${permission}, which it was not granted`)
    return may
  }

  #heed(refusal: string | undefined): void {
    if (refusal !== undefined) this.#parts.refused(refusal)
  }
}

/** What cannot be written as JSON is too long as well. */
export const isTooLong = (value: unknown): boolean => {
  try {
    return (JSON.stringify(value) ?? '').length > MAX_PLUGIN_JSON_BYTES
  } catch {
    return true
  }
}
