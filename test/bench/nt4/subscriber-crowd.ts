// So many dashboards by other people (`ntcore-ts-client`) in one process, each subscribed to every change of all keys
// of a table.
//
//   subscriber-crowd.ts PORT COUNT
//
// Prints a line when all are connected and have heard of all topics. For each line on its standard input it prints one
// of JSON of the time since the line before, of each of them: how many values, messages and bytes came, and how many of
// the values did not follow on the one before of their topic.
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { NetworkTables } from 'ntcore-ts-client'
import { frameOf, TABLE, TABLE_TOPICS } from './crowd-table.ts'

const [port, count] = process.argv.slice(2).map(Number)

// It says on the console what it does.
for (const method of ['info', 'warn'] as const) console[method] = () => {}

/** What one has heard of the table. */
export interface Heard {
  values: number
  disordered: number
  messages: number
  bytes: number
}

const nothing: Readonly<Heard> = { values: 0, disordered: 0, messages: 0, bytes: 0 }

const dashboard = async (n: number): Promise<Heard> => {
  // It has one instance for each address: a name before that makes another one of the same.
  const tables = NetworkTables.getInstanceByURI(`dashboard-${n}@127.0.0.1`, port)
  const { socket } = tables.client.messenger
  socket.stopAutoConnect()
  const heard = { ...nothing }
  const latest = new Map<string, number>()
  const hear = (value: unknown, { name }: { readonly name: string }) => {
    const frame = frameOf(value)
    const before = latest.get(name)
    if (before !== undefined && frame !== before + 1) heard.disordered += 1
    latest.set(name, frame)
    heard.values += 1
  }
  tables.createPrefixTopic(TABLE).subscribe(hear, { all: true, periodic: 0.01 })
  socket.websocket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    if (!(data instanceof ArrayBuffer)) return
    heard.messages += 1
    heard.bytes += data.byteLength
  })
  while (latest.size < TABLE_TOPICS.length) await delay(20)
  return heard
}

const all = await Promise.all(Array.from({ length: count as number }, (_, n) => dashboard(n)))
createInterface({ input: process.stdin }).on('line', () => {
  console.log(JSON.stringify(all))
  for (const each of all) Object.assign(each, nothing)
})
process.once('SIGTERM', () => process.exit())
console.log('ready')
