// So many subscribers in one process.
//
//   subscriber-crowd.ts ntcore PORT COUNT TOPICS   dashboards by other people (`ntcore-ts-client`), each subscribed to every change of all keys of one table
//   subscriber-crowd.ts bare PORT COUNT            WebSockets that take what comes
//
// Prints a line when all are connected and, of the dashboards, have heard of so many topics. For each line on its standard input it prints one of JSON of the time since
// the line before: { values, disordered } of each: how many came, and how many of them did not follow on the one before of their topic. Bare ones count messages.
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { NetworkTables } from 'ntcore-ts-client'
import { WebSocket } from 'ws'

const [kind, port = '0', count = '0', topics = '0'] = process.argv.slice(2)
const TABLE = '/limelight/'

interface Heard {
  values: number
  disordered: number
}

// It says on the console what it does.
for (const method of ['info', 'warn'] as const) console[method] = () => {}

/** The number of the frame that a value is of: each value begins with it. */
const frameOf = (value: unknown): number => (Array.isArray(value) ? Number(value[0]) : Number.parseFloat(String(value)))

const dashboard = async (n: number): Promise<Heard> => {
  // It has one instance for each address: a name before that makes another one of the same.
  const tables = NetworkTables.getInstanceByURI(`dashboard-${n}@127.0.0.1`, Number(port))
  tables.client.messenger.socket.stopAutoConnect()
  const heard = { values: 0, disordered: 0 }
  const latest = new Map<string, number>()
  const hear = (value: unknown, { name }: { readonly name: string }) => {
    const frame = frameOf(value)
    const before = latest.get(name)
    if (before !== undefined && frame !== before + 1) heard.disordered += 1
    latest.set(name, frame)
    heard.values += 1
  }
  tables.createPrefixTopic(TABLE).subscribe(hear, { all: true, periodic: 0.01 })
  while (latest.size < Number(topics)) await delay(20)
  return heard
}

const bare = async (): Promise<Heard> => {
  const heard = { values: 0, disordered: 0 }
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false })
  socket.on('message', () => {
    heard.values += 1
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return heard
}

const all = await Promise.all(
  Array.from({ length: Number(count) }, (_, n) => (kind === 'bare' ? bare() : dashboard(n))),
)
createInterface({ input: process.stdin }).on('line', () => {
  console.log(JSON.stringify(all))
  for (const each of all) Object.assign(each, { values: 0, disordered: 0 })
})
process.once('SIGTERM', () => process.exit())
console.log('ready')
