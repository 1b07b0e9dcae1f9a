// The JSON control messages of both directions. Each element of a text frame is judged on its own.
import { jsonIn } from '../../machines/schema/json.ts'

/** A JSON object, as properties and options are. */
export type JsonMap = Readonly<Record<string, unknown>>

/** What a server says. pubuid: only as the answer to our publishing. */
export type ServerMessage =
  | {
      readonly method: 'announce'
      readonly name: string
      readonly id: number
      readonly type: string
      readonly properties: JsonMap
    }
  | { readonly method: 'unannounce'; readonly name: string; readonly id: number }
  | { readonly method: 'properties'; readonly name: string; readonly update: JsonMap }

/** What a client says. */
export type ClientMessage =
  | {
      readonly method: 'publish'
      readonly name: string
      readonly pubuid: number
      readonly type: string
      readonly properties: JsonMap
    }
  | { readonly method: 'unpublish'; readonly pubuid: number }
  | { readonly method: 'setproperties'; readonly name: string; readonly update: JsonMap }
  | {
      readonly method: 'subscribe'
      readonly topics: readonly string[]
      readonly subuid: number
      readonly options: JsonMap
    }
  | { readonly method: 'unsubscribe'; readonly subuid: number }

/** The readable messages of a text frame, and how many elements were not. */
export interface Control<Message> {
  readonly messages: readonly Message[]
  readonly bad: number
}

/** Reads a server's text frame; never throws. */
export const readServerText = (text: string): Control<ServerMessage> => read(text, serverMessageOf)

/** Reads a client's text frame; never throws. */
export const readClientText = (text: string): Control<ClientMessage> => read(text, clientMessageOf)

/**
 * One element of an outgoing frame; several are joined by `textFrame`, so that one that many receive is written once.
 */
export const element = (method: string, params: JsonMap): string => JSON.stringify({ method, params })

/** A text frame of elements. */
export const textFrame = (elements: readonly string[]): string => `[${elements.join(',')}]`

/** Properties after an update: null deletes a key, an absent key stays. */
export const updated = (properties: JsonMap, update: JsonMap): JsonMap =>
  Object.fromEntries(Object.entries({ ...properties, ...update }).filter(([, value]) => value !== null))

const read = <Message>(
  text: string,
  messageOf: (method: unknown, params: JsonMap) => Message | undefined,
): Control<Message> => {
  const elements = jsonIn(text)
  if (!Array.isArray(elements)) return { messages: [], bad: 1 }
  const messages = elements
    .map((one) => (isMap(one) && isMap(one.params) ? messageOf(one.method, one.params) : undefined))
    .filter((message) => message !== undefined)
  return { messages, bad: elements.length - messages.length }
}

const serverMessageOf = (method: unknown, params: JsonMap): ServerMessage | undefined => {
  const { name, id, type } = params
  if (typeof name !== 'string') return undefined
  if (method === 'properties') return isMap(params.update) ? { method, name, update: params.update } : undefined
  if (!Number.isSafeInteger(id)) return undefined
  if (method === 'unannounce') return { method, name, id: id as number }
  if (method !== 'announce' || typeof type !== 'string') return undefined
  return { method, name, id: id as number, type, properties: isMap(params.properties) ? params.properties : {} }
}

const clientMessageOf = (method: unknown, params: JsonMap): ClientMessage | undefined => {
  const { name, type, topics } = params
  switch (method) {
    case 'publish': {
      const { pubuid } = params
      if (!isUid(pubuid) || typeof name !== 'string' || name === '' || typeof type !== 'string') return undefined
      return { method, name, pubuid, type, properties: isMap(params.properties) ? params.properties : {} }
    }
    case 'unpublish':
      return isUid(params.pubuid) ? { method, pubuid: params.pubuid } : undefined
    case 'setproperties':
      return typeof name === 'string' && isMap(params.update) ? { method, name, update: params.update } : undefined
    case 'subscribe': {
      const { subuid } = params
      if (!isUid(subuid) || !Array.isArray(topics) || !topics.every((topic) => typeof topic === 'string'))
        return undefined
      return { method, topics, subuid, options: isMap(params.options) ? params.options : {} }
    }
    case 'unsubscribe':
      return isUid(params.subuid) ? { method, subuid: params.subuid } : undefined
    default:
      return undefined
  }
}

const isMap = (value: unknown): value is JsonMap => typeof value === 'object' && value !== null && !Array.isArray(value)

const isUid = (value: unknown): value is number => Number.isSafeInteger(value)
