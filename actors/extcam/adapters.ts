// The adapters as everybody but the robot reaches them: by table, as the settings are now. Which there are follows from
// the settings; nothing is registered.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { hardwareReport, type ReportedCamera } from '../../machines/extcam/hardware-report.ts'
import { type ImuFigures, imuFigures } from '../../machines/extcam/imu.ts'
import type { Installation } from '../../machines/extcam/installation.ts'
import { NO_LIVE_CONTROLS } from '../../machines/extcam/live.ts'
import { resultsJson } from '../../machines/extcam/results-json.ts'
import { mountInForce, NO_WANTS } from '../../machines/extcam/robot-wants.ts'
import { ShownPipeline } from '../../machines/extcam/shown-pipeline.ts'
import { type RewindFigures, Snapshot, type Surroundings } from '../../machines/extcam/snapshot.ts'
import { statusDocument } from '../../machines/extcam/status-json.ts'
import { readWrite } from '../../machines/extcam/writes/read-write.ts'
import type { Latest } from '../../machines/latest.ts'
import { EMPTY_MAP, type FieldMaps } from '../../machines/localization/field-map.ts'
import { recordingStatusOf } from '../../machines/recording/status.ts'
import { rewindBytes } from '../../machines/stream/rewind.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import type { Imu } from '../imu/tokens.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'
import type { HardwareSource } from '../system/tokens.ts'
import { startTimer } from '../timer.ts'
import { CurrentSnapshot, type SnapshotSources } from './current-snapshot.ts'
import { HttpHeading } from './http-heading.ts'
import { makeRobotOperations, type RobotOperationParts } from './robot-operations.ts'
import type { ExtcamTables } from './tables.ts'
import type { ExtcamAdapter, ExtcamAdapters } from './tokens.ts'

/** What the adapters are made of. */
export interface AdapterParts extends RobotOperationParts {
  readonly clock: Clock
  readonly streams: Pick<StreamRegistry, 'get'>
  /** Which stream has which. */
  readonly tables: Pick<ExtcamTables, 'claims' | 'isEmulated'>
  readonly maps: FieldMaps
  /** To the robot. */
  readonly link: Latest<Nt4Session | undefined>
  readonly hardware: HardwareSource
  /** Of the device; default: it has none. */
  readonly imu?: Pick<Imu, 'latest' | 'at'>
}

/** What is kept of a stream for as long as it is there. */
interface Kept {
  readonly sources: SnapshotSources
  readonly current: CurrentSnapshot
  readonly heading: HttpHeading
}

/** All adapters, by table. */
export class Adapters implements ExtcamAdapters {
  readonly #parts: AdapterParts
  readonly #startedUs: number
  readonly #kept = new WeakMap<StreamRuntime, Kept>()

  constructor(parts: AdapterParts) {
    this.#parts = parts
    this.#startedUs = parts.clock.monotonicUs()
  }

  readonly find = (table: string): ExtcamAdapter | Fault => {
    const { streams, tables } = this.#parts
    for (const [id, claim] of tables.claims()) {
      const stream = 'table' in claim && claim.table === table ? streams.get(id) : undefined
      if (stream) return this.#adapterOf(stream, table)
    }
    return notFound(table, tables.isEmulated)
  }

  readonly sourcesOf = (stream: StreamRuntime): SnapshotSources => this.#keptOf(stream).sources

  #adapterOf(stream: StreamRuntime, table: string): ExtcamAdapter {
    const { clock, takeSnapshot } = this.#parts
    const snapshot = () => this.#keptOf(stream).current.get()
    return {
      table,
      stream,
      snapshot,
      results: () => resultsJson(snapshot()),
      hardwareReport: () => hardwareReport(this.#reported(stream), table),
      sayHeading: (orientation) => this.#sayHeading(stream, orientation),
      status: () => statusDocument(snapshot(), { table, fps: stream.meter.fps(clock.monotonicUs()) }),
      takeSnapshot: (name) => takeSnapshot(stream.id, name === undefined ? {} : { name }),
      switchTo: (slot) => whyNot(makeRobotOperations(stream, this.#parts).switchTo(slot)),
    }
  }

  #reported(stream: StreamRuntime): ReportedCamera {
    const { width_px = 0, height_px = 0, intrinsics = null } = stream.engine.opened.value ?? {}
    return { width_px, height_px, intrinsics, hardware: this.#parts.hardware.latest() }
  }

  #sayHeading(stream: StreamRuntime, orientation: readonly number[]): string | undefined {
    const read = readWrite('robot_orientation_set', orientation)
    if (!read.ok) return read.why
    if (read.order.type === 'heading') this.#keptOf(stream).heading.say(read.order.yaw_deg, read.order.yaw_rate_dps)
    return undefined
  }

  #keptOf(stream: StreamRuntime): Kept {
    const known = this.#kept.get(stream)
    if (known) return known
    const { clock, maps, link, hardware, imu } = this.#parts
    const pipeline = pipelineOf(stream, clock)
    const sources = {
      clock,
      link,
      startedUs: this.#startedUs,
      results: stream.results,
      hardware: hardware.latest,
      newSnapshot: () => new Snapshot({ pipeline, hardware: hardware.latest }),
      installation: installationOf(stream, maps),
      rewind: () => rewindOf(stream),
      ...(imu && { imu: imuOf(stream, imu) }),
      isLive: () => stream.state === 'live',
      onMoved: (listener: () => void) => stream.onMoved(listener),
    }
    const heading = new HttpHeading(stream.robot, clock.monotonicUs, startTimer)
    const kept = { sources, heading, current: new CurrentSnapshot(sources) }
    this.#kept.set(stream, kept)
    return kept
  }
}

const imuOf = (stream: StreamRuntime, { latest, at }: Pick<Imu, 'latest' | 'at'>): (() => ImuFigures | undefined) => {
  const mount = () => mountInForce(stream.robot.wants.value ?? NO_WANTS, stream.manifest)
  const heading = () => stream.robot.heading.value
  return () => imuFigures({ latest, at, mount, heading })
}

/** undefined: its manifest keeps none, or its engine has not said yet what it keeps. */
const rewindOf = ({ manifest, engine, robot, recording }: StreamRuntime): RewindFigures | undefined => {
  const maxBytes = rewindBytes(manifest)
  const kept = engine.rewound.value
  if (maxBytes === 0 || !kept) return undefined
  const recorded = recording.status?.()
  return {
    enabled: (robot.wants.value ?? NO_WANTS).keepsRewind ? 1 : 0,
    storedSeconds: kept.span_us / 1e6,
    frameCount: kept.pictures,
    bufferUsage: Math.min(1, kept.bytes / maxBytes),
    flushing: recordingStatusOf(recorded) && recorded?.context.request?.rewinds ? 1 : 0,
    latpen: 0,
  }
}

const whyNot = (program: Effect.Effect<void, Fault>): Promise<Fault | undefined> =>
  Effect.runPromise(Effect.match(program, { onSuccess: () => undefined, onFailure: (why): Fault | undefined => why }))

const notFound = (table: string, isEmulated: boolean): Fault => ({
  code: 'extcam.not_found',
  detail: isEmulated
    ? `no stream has the table ${JSON.stringify(table)}; which have one is told by extcam_table in their status`
    : "no stream is shown as the vendor's camera, since emulate_extcam_api is off; POST /v1/device/nt4 turns it on",
})

/** The number of the pipeline that gave a frame. */
const pipelineOf = (stream: StreamRuntime, clock: Pick<Clock, 'monotonicUs'>): Surroundings['pipeline'] => {
  const shown = new ShownPipeline(stream.engine.applied.value)
  stream.engine.applied.subscribe((applied) => shown.follow(applied, clock.monotonicUs()))
  return (startedUs) => shown.number(startedUs)
}

/** How the stream's camera is set up now; the same object until something of it changes. */
const installationOf = (stream: StreamRuntime, maps: FieldMaps): (() => Installation) => {
  let kept: Installation = { map: EMPTY_MAP, intrinsics: null, mount: null }
  let seen: readonly unknown[] = [undefined]
  return () => {
    const { manifest } = stream
    const { opened } = stream.engine
    const { live, wants } = stream.robot
    const parts = [manifest, opened.value, live.value, wants.value]
    if (parts.every((part, n) => part === seen[n])) return kept
    seen = parts
    const map = maps().get(manifest.map_id) ?? EMPTY_MAP
    const { intrinsics = null, crop = null } = opened.value ?? {}
    kept = {
      map,
      intrinsics,
      crop,
      mount: mountInForce(wants.value ?? NO_WANTS, manifest),
      live: live.value ?? NO_LIVE_CONTROLS,
    }
    return kept
  }
}
