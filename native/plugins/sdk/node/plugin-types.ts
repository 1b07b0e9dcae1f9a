// What the TypeScript program of a plugin imports as `vedette-plugin`.

/** A value that is JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: unknown }

/** What Vedette says at the start. */
export interface PluginInfo {
  /** The interface for plugins that this Vedette has. */
  readonly api: number
  readonly name: string
  readonly version: string
  /** Path of the unpacked package, which may be read. */
  readonly folder: string
  /** Path of the folder to keep data in. */
  readonly data_folder: string
  readonly granted: readonly ('read' | 'operate' | 'topics' | 'network')[]
}

/** A request to a route of the plugin. */
export interface PluginRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Behind `/v1/plugins/{name}/api`, with a slash in front. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly media_type: string | null
  /** A document where it is JSON, else bytes; undefined: there is none. */
  readonly body: unknown
}

/** A job that is to be done. */
export interface PluginJob {
  readonly id: string
  readonly kind: string
  readonly params: unknown
  /** 0 to 100, or null where nobody can tell. */
  readonly progress: (percent?: number | null, message?: string) => void
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal
}

/** What was found in a frame of a watched stream. */
export interface PluginResults {
  readonly stream_id: string
  readonly seq: number
  /** Mid-exposure, CLOCK_MONOTONIC. */
  readonly captured_us: number
  readonly width_px: number
  readonly height_px: number
  readonly outputs: Readonly<Record<string, { readonly kind: string; readonly rows: readonly unknown[] }>>
}

/** What a plugin does when. */
export interface PluginHandlers {
  /** Before Vedette is told that the program is ready. */
  readonly onStart?: (info: PluginInfo) => unknown
  /** What it returns is the answer. */
  readonly onRequest?: (request: PluginRequest) => unknown
  /** What it returns is the result. */
  readonly onJob?: (job: PluginJob) => unknown
  // biome-ignore lint/suspicious/noExplicitAny: whatever the panel of the plugin says
  readonly onPanel?: (message: any) => unknown
  // biome-ignore lint/suspicious/noExplicitAny: a plugin knows what its streams output
  readonly onResults?: (results: any) => unknown
  /** The last. */
  readonly onStop?: () => unknown
}

export interface Plugin {
  readonly info: PluginInfo
  /** Speaks with Vedette until that says that the program is to end. */
  start(handlers?: PluginHandlers): void
  /** Publishes a value below the plugin's own prefix. It takes the permission topics. */
  publish(
    topic: string,
    nt_type: 'boolean' | 'double' | 'int' | 'string' | 'boolean[]' | 'double[]' | 'int[]' | 'string[]' | 'raw',
    value: boolean | number | string | readonly boolean[] | readonly number[] | readonly string[] | Uint8Array,
  ): void
  unpublish(topic: string): void
  /** Tells all who listen to events. kind: one of the manifest. */
  event(kind: string, data?: unknown): void
  log(level: 'debug' | 'info' | 'warn' | 'error', text: string): void
  /** Sends a message to all panels of the plugin that are open. */
  panel(message: unknown): void
  /** Asks the API of Vedette; rejects with a PluginError. It takes the permission read, or operate. */
  ask(method: PluginRequest['method'], path: string, body?: unknown): Promise<unknown>
  /** Has `onResults` called with the results of a stream. It takes the permission read. */
  watch(stream_id: string, max_fps?: number): void
  unwatch(stream_id: string): void
  /** Starts a job of the plugin's own, which `onJob` does; gives its id. */
  startJob(kind: string, params?: unknown): Promise<string>
}

/** Vedette did not do what was asked. status: as of HTTP, 0 where the API was not asked. */
export declare class PluginError extends Error {
  readonly status: number
  readonly code: string
}

/** What a route answers, where it is not just a document. body: JSON, or bytes or a text with their media type. */
export declare class Answer {
  constructor(answer?: { readonly status?: number; readonly body?: unknown; readonly media_type?: string })
}

/** This program's side of the wire. */
export declare const plugin: Plugin
