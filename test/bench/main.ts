// `npm run bench`: every figure that the service is to reach, measured. `npm run bench -- NAME ...` runs some of them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { accuracy } from './accuracy.ts'
import { cells } from './cells.ts'
import { clockOffset } from './clock-offset.ts'
import { colour } from './colour.ts'
import { controlCpu } from './control-cpu.ts'
import { corners } from './corners.ts'
import { detector } from './detector.ts'
import { detectorMemory } from './detector-memory.ts'
import { deviations } from './deviations.ts'
import { eightStreams } from './eight-streams.ts'
import { engineCrash } from './engine-crash.ts'
import { eventSubscribers } from './event-subscribers.ts'
import { falseTags } from './false-tags.ts'
import { fanout, fanoutDecoding } from './fanout.ts'
import { floods } from './floods.ts'
import { fourStreams } from './four-streams.ts'
import { growth } from './growth.ts'
import { idle } from './idle.ts'
import { inLab, type Measurement } from './lab.ts'
import { manyTables } from './many-tables.ts'
import { margins } from './margins.ts'
import { media } from './media.ts'
import { memory } from './memory.ts'
import { passThrough } from './pass-through.ts'
import { peers } from './peers.ts'
import { pipelineCpu } from './pipeline-cpu.ts'
import { planner } from './planner.ts'
import { powerCuts } from './power-cuts.ts'
import { publishLatency } from './publish-latency.ts'
import { recall } from './recall.ts'
import { recording } from './recording.ts'
import { recordingKills } from './recording-kills.ts'
import { robotReturns } from './robot-returns.ts'
import { robotWrites } from './robot-writes.ts'
import { type Row, reached, table } from './row.ts'
import { scan } from './scan.ts'
import { script } from './script.ts'
import { slowDisk } from './slow-disk.ts'
import { stages } from './stages.ts'
import { startUp } from './start-up.ts'
import { storeKills } from './store-kills.ts'
import { subscribers } from './subscribers.ts'
import { switching } from './switching.ts'
import { tracked } from './tracked.ts'
import { tunnel } from './tunnel.ts'
import { twoThreads } from './two-threads.ts'
import { ustreamer } from './ustreamer.ts'
import { video } from './video.ts'

const measurements: Readonly<Record<string, Measurement>> = {
  'pipeline-cpu': pipelineCpu,
  'control-cpu': controlCpu,
  idle,
  floods,
  'publish-latency': publishLatency,
  accuracy,
  recall,
  scan,
  cells,
  corners,
  tracked,
  'false-tags': falseTags,
  stages,
  'two-threads': twoThreads,
  'detector-memory': detectorMemory,
  margins,
  deviations,
  'start-up': startUp,
  memory,
  growth,
  fanout,
  'fanout-decoding': fanoutDecoding,
  'pass-through': passThrough,
  'eight-streams': eightStreams,
  switching,
  ustreamer,
  'engine-crash': engineCrash,
  media,
  recording,
  'recording-kills': recordingKills,
  video,
  colour,
  planner,
  script,
  detector,
  'four-streams': fourStreams,
  'robot-returns': robotReturns,
  'clock-offset': clockOffset,
  'many-tables': manyTables,
  'robot-writes': robotWrites,
  'slow-disk': slowDisk,
  'store-kills': storeKills,
  'power-cuts': powerCuts,
  subscribers,
  tunnel,
  peers,
  'event-subscribers': eventSubscribers,
}

const options = { json: { type: 'string', default: '.vedette/bench.json' } } as const
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const unknown = positionals.filter((name) => !measurements[name])
if (unknown.length > 0) {
  console.error(`There is no measurement ${unknown.join(', ')}; there are ${Object.keys(measurements).join(', ')}.`)
  process.exit(1)
}

const rows: (Row & { readonly measurement: string })[] = []
for (const name of positionals.length > 0 ? positionals : Object.keys(measurements)) {
  const say = (progress: string) => console.error(`${name}: ${progress}`)
  say('begins')
  const found = await inLab(say, measurements[name] as Measurement)
  rows.push(...found.map((row) => ({ measurement: name, ...row })))
}

const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, load: loadavg()[0] ?? 0, node: process.version }
const file = resolve(values.json)
mkdirSync(dirname(file), { recursive: true })
writeFileSync(
  file,
  `${JSON.stringify({ machine, rows: rows.map((row) => ({ ...row, reached: reached(row) ?? null })) }, null, 2)}\n`,
)
console.log(table(rows))
