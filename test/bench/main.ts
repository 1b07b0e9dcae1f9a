// `npm run bench`: every figure that the service is to reach, measured. `npm run bench -- NAME ...` runs some of them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { guidedCapture } from './calibration/guided-capture.ts'
import { guidedService } from './calibration/guided-service.ts'
import { colourChart } from './colour/colour-chart.ts'
import { consoleSession } from './console/console.ts'
import { cells } from './detector/cells.ts'
import { corners } from './detector/corners.ts'
import { detectorMemory } from './detector/detector-memory.ts'
import { falseTags } from './detector/false-tags.ts'
import { margins } from './detector/margins.ts'
import { recall } from './detector/recall.ts'
import { scan } from './detector/scan.ts'
import { stages } from './detector/stages.ts'
import { tracked } from './detector/tracked.ts'
import { twoThreads } from './detector/two-threads.ts'
import { logFollowers } from './device/log-followers.ts'
import { networkRollback } from './device/network-rollback.ts'
import { imuCpu } from './imu/imu-cpu.ts'
import { inLab, type Measurement } from './lab/lab.ts'
import { type Row, reached, table } from './lab/row.ts'
import { lamps } from './lighting/lamps.ts'
import { localizationCost } from './localization/cost.ts'
import { localizationFilter } from './localization/filter.ts'
import { localization } from './localization/localization.ts'
import { poseLatency } from './localization/pose-latency.ts'
import { rigAndMap } from './localization/rig-and-map.ts'
import { localizationSolve } from './localization/solve.ts'
import { surveyService } from './localization/survey-service.ts'
import { clockOffset } from './nt4/clock-offset.ts'
import { controlCpu } from './nt4/control-cpu.ts'
import { manyTables } from './nt4/many-tables.ts'
import { publishLatency } from './nt4/publish-latency.ts'
import { robotReturns } from './nt4/robot-returns.ts'
import { robotWrites } from './nt4/robot-writes.ts'
import { subscribers } from './nt4/subscribers.ts'
import { firstPaint } from './page/first-paint.ts'
import { peerChange } from './page/peer-change.ts'
import { pagePictures, sameFrames } from './page/pictures.ts'
import { staysOpen } from './page/stays-open.ts'
import { eventSubscribers } from './peers/event-subscribers.ts'
import { peers } from './peers/peers.ts'
import { tunnel } from './peers/tunnel.ts'
import { accuracy } from './pipelines/accuracy.ts'
import { colour } from './pipelines/colour.ts'
import { detector } from './pipelines/detector.ts'
import { deviations } from './pipelines/deviations.ts'
import { pipelineCpu } from './pipelines/pipeline-cpu.ts'
import { planner } from './pipelines/planner.ts'
import { pluginNode } from './pipelines/plugin-node.ts'
import { script } from './pipelines/script.ts'
import { switching } from './pipelines/switching.ts'
import { pluginHostile } from './plugins/plugin-hostile.ts'
import { deviceMetrics } from './process/device-metrics.ts'
import { engineCrash } from './process/engine-crash.ts'
import { floods } from './process/floods.ts'
import { growth } from './process/growth.ts'
import { idle } from './process/idle.ts'
import { memory } from './process/memory.ts'
import { startUp } from './process/start-up.ts'
import { media } from './store/media.ts'
import { powerCuts } from './store/power-cuts.ts'
import { slowDisk } from './store/slow-disk.ts'
import { storeKills } from './store/store-kills.ts'
import { eightStreams } from './streams/eight-streams.ts'
import { fanout, fanoutDecoding } from './streams/fanout.ts'
import { fourStreams } from './streams/four-streams.ts'
import { passThrough } from './streams/pass-through.ts'
import { recording } from './streams/recording.ts'
import { recordingKills } from './streams/recording-kills.ts'
import { resourceGuard } from './streams/resource-guard.ts'
import { ustreamer } from './streams/ustreamer.ts'
import { video } from './streams/video.ts'
import { updateUpload } from './update/upload.ts'

const measurements: Readonly<Record<string, Measurement>> = {
  'page-first': firstPaint,
  'page-open': staysOpen,
  'page-peer-change': peerChange,
  'page-pictures': pagePictures,
  'page-frames': sameFrames,
  'pipeline-cpu': pipelineCpu,
  'control-cpu': controlCpu,
  idle,
  'device-metrics': deviceMetrics,
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
  'localization-filter': localizationFilter,
  localization,
  'start-up': startUp,
  memory,
  growth,
  fanout,
  'fanout-decoding': fanoutDecoding,
  'pass-through': passThrough,
  'eight-streams': eightStreams,
  'plugin-node': pluginNode,
  switching,
  ustreamer,
  'engine-crash': engineCrash,
  'plugin-hostile': pluginHostile,
  media,
  recording,
  'recording-kills': recordingKills,
  video,
  colour,
  'colour-chart': colourChart,
  planner,
  script,
  detector,
  'localization-cost': localizationCost,
  'pose-latency': poseLatency,
  'localization-solve': localizationSolve,
  'rig-and-map': rigAndMap,
  'survey-service': surveyService,
  'four-streams': fourStreams,
  'resource-guard': resourceGuard,
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
  'update-upload': updateUpload,
  'network-rollback': networkRollback,
  'log-followers': logFollowers,
  console: consoleSession,
  'guided-capture': guidedCapture,
  'guided-service': guidedService,
  lamps,
  'imu-cpu': imuCpu,
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
