// Writes docs/plugin-wire.md: the wire between this service and the program of a plugin, from its schemas.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import {
  FROM_PLUGIN,
  MAX_PLUGIN_FRAME_BYTES,
  MAX_PLUGIN_JSON_BYTES,
  MAX_PLUGIN_VALUES,
  MAX_TOPIC_BYTES,
  MAX_TOPICS,
  MAX_WATCHES,
  TO_PLUGIN,
} from '../machines/plugins/process/messages.ts'
import { oneLine } from '../machines/schema/one-line.ts'

const WIDTH = 120

/** Text in lines of the usual width. indent: of those after the first. */
const wrapped = (text: string, indent = ''): string => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(lines.length === 0 ? word : indent + word)
  }
  return lines.join('\n')
}

interface Shown {
  readonly description?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shown[]
  readonly items?: Shown
  readonly properties?: Readonly<Record<string, Shown>>
  readonly required?: readonly string[]
}

const typeOf = ({ type, enum: words, anyOf, items }: Shown): string => {
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`
  return type ?? 'JSON'
}

const fieldsOf = ({ properties = {}, required = [] }: Shown): readonly string[] =>
  Object.entries(properties)
    .filter(([name]) => name !== 'type')
    .map(([name, field]) => {
      const optional = required.includes(name) ? '' : ', may be left out'
      const words = field.enum ? '' : ` ${field.description ?? ''}`
      return wrapped(`- \`${name}\` (${typeOf(field)}${optional})${words}`, '  ')
    })

const messagesOf = (table: Readonly<Record<string, TSchema>>): readonly string[] =>
  Object.entries(table).flatMap(([type, schema]) => {
    const shown = schema as Shown
    const fields = fieldsOf(shown)
    return [`### \`${type}\``, wrapped(shown.description ?? ''), ...(fields.length > 0 ? [fields.join('\n')] : [])]
  })

const KIB = 1024

/** The page. */
export const pluginWirePage = (): string =>
  `${[
    '# The wire of plugins',
    'Written from `machines/plugins/process/messages.ts` by `npm run docs`; change the schemas, not this page.',
    wrapped(oneLine`
      What the program of a plugin and this service say to one another. Python and Node have libraries for it
      (\`vedette_plugin\`, \`vedette-plugin\`); a program in another language speaks it itself. Descriptor 3 is a stream
      socket, which is non-blocking at first. A frame is a u32, little endian, with the length of what follows: a
      [MessagePack](https://msgpack.org) list of a message and, where the message says so, its bytes (\`bin\`).
      A message is a map with \`type\`; beside its bytes it is JSON: no extensions, no binary, whole numbers of 64
      bits read as doubles.
    `),
    wrapped(oneLine`
      A frame may have ${MAX_PLUGIN_FRAME_BYTES / KIB / KIB} MiB and ${MAX_PLUGIN_VALUES} values; what is called JSON
      below ${MAX_PLUGIN_JSON_BYTES / KIB} KiB; a value of a topic ${MAX_TOPIC_BYTES / KIB} KiB. There may be
      ${MAX_TOPICS} topics and ${MAX_WATCHES} watched streams. What does not fit is refused, counted and told on the
      status of the plugin; it ends nothing. At most 500 messages and 4 MiB a second are read: a program that says more
      waits. When more than 4 MiB wait for a program, what has no room is not sent: requests and messages of panels are
      refused, and so are its own questions (\`service.busy\`). One that reads nothing for 10 s then is ended.
    `),
    '## What the service says',
    ...messagesOf(TO_PLUGIN),
    '## What the program says',
    ...messagesOf(FROM_PLUGIN),
  ].join('\n\n')}\n`

if (import.meta.main) writeFileSync(join(import.meta.dirname, 'plugin-wire.md'), pluginWirePage())
