// What other programs have sent, for as long as the service runs: one slot for each output of each declared source. A
// source that is declared otherwise begins again.
import type { Fault } from '../../machines/errors/fault.ts'
import { Latest } from '../../machines/latest.ts'
import { TokenBucket } from '../../machines/limits/token-bucket.ts'
import type { OnBug } from '../../machines/listeners.ts'
import { sixDeviations } from '../../machines/localization/external/deviations.ts'
import {
  deviationsOfRobot,
  type FieldSize,
  frameOf,
  needsField,
  robotOfSensor,
} from '../../machines/localization/external/frames.ts'
import { type ExternalMeasurement, OutputSlot } from '../../machines/localization/external/output-slot.ts'
import {
  type ExternalSample,
  MAX_SAMPLES_PER_S,
  readSample,
  type SampleReason,
} from '../../machines/localization/external/sample.ts'
import { type ExternalSource, externalSourceCollection } from '../../machines/localization/external/source.ts'
import { compose, type Pose, poseFromDocument } from '../../machines/localization/pose.ts'
import type { SixNumbers } from '../../machines/localization/solution.ts'
import type { SchemaError } from '../../machines/schema/explain.ts'
import { quote } from '../../machines/schema/quote.ts'
import { documentOf, documentsOf, type SettingsStore } from '../../machines/settings/store.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'

/** What they are read and kept with. */
export interface ExternalSampleParts {
  readonly settings: SettingsStore
  readonly monotonicUs: () => number
  /** Whose time samples may be given in. */
  readonly link: { readonly value: Pick<Nt4Session, 'serverOffsetUs'> | undefined }
  /** Of the map in force; undefined: there is none. */
  readonly fieldSize: () => FieldSize | undefined
  readonly onBug?: OnBug
}

/** What became of a sample. */
export interface SampleVerdict {
  readonly accepted: boolean
  /** Why not; null: it was. */
  readonly reason: SampleReason | null
  /** How long ago it was true; null: nobody knows. */
  readonly ageUs: number | null
}

/** A sample that does not fit its source. */
export interface SampleFlaws {
  readonly flaws: readonly SchemaError[]
}

/** A declared source, and its outputs. */
export interface KnownSource {
  readonly id: string
  readonly spec: ExternalSource
  readonly outputs: ReadonlyMap<string, OutputSlot>
}

interface Kept extends KnownSource {
  readonly revision: number
  readonly bucket: TokenBucket
}

/** What the solve takes of a source: a tenth of a second's at once. */
const RATE = { capacity: MAX_SAMPLES_PER_S / 10, perSecond: MAX_SAMPLES_PER_S }

/** The field does not matter where the frame is known without. */
const NO_FIELD: FieldSize = { length_m: 0, width_m: 0 }

export class ExternalSamples {
  /** Of sources that are to count beside the cameras: each, as it comes. */
  readonly measured: Latest<ExternalMeasurement>
  readonly #parts: ExternalSampleParts
  readonly #sources = new Map<string, Kept>()

  constructor(parts: ExternalSampleParts) {
    this.#parts = parts
    this.measured = new Latest(parts.onBug)
  }

  /** One that is declared, or `external_source.not_found`. */
  source(id: string): KnownSource | Fault {
    const stored = documentOf(this.#parts.settings, externalSourceCollection, id)
    if (!stored) {
      this.#sources.delete(id)
      return externalSourceCollection.notFound(id)
    }
    const kept = this.#sources.get(id)
    if (kept?.revision === stored.revision) return kept
    const { revision, value: spec } = stored
    const outputs = new Map(spec.outputs.map(({ output_key }) => [output_key, new OutputSlot(spec)]))
    const made: Kept = { id, revision, spec, outputs, bucket: new TokenBucket(RATE) }
    this.#sources.set(id, made)
    return made
  }

  /** All that are declared. */
  all(): readonly KnownSource[] {
    const ids = Object.keys(documentsOf(this.#parts.settings, externalSourceCollection))
    for (const id of this.#sources.keys()) if (!ids.includes(id)) this.#sources.delete(id)
    return ids.map((id) => this.source(id)).filter((source): source is KnownSource => 'outputs' in source)
  }

  /** Of a declared source, or `external_source.not_found`, `output.not_found`. */
  output(id: string, key: string): OutputSlot | Fault {
    const source = this.source(id)
    if (!('outputs' in source)) return source
    return source.outputs.get(key) ?? noOutput(source, key)
  }

  /** Keeps a sample where it is the newest. `external_source.not_found`, `output.not_found`: it is not declared. */
  take(id: string, sample: ExternalSample): SampleVerdict | SampleFlaws | Fault {
    const source = this.source(id)
    if (!('outputs' in source)) return source
    const slot = source.outputs.get(sample.output_key)
    if (!slot) return noOutput(source, sample.output_key)
    const read = readSample(source.spec, sample)
    if (!('pose' in read)) return { flaws: read }
    const nowUs = this.#parts.monotonicUs()
    const capturedUs = this.#capturedUs(source.spec, sample, nowUs)
    const ageUs = capturedUs === undefined ? null : nowUs - capturedUs
    const refused = (reason: SampleReason): SampleVerdict => {
      slot.refuse(reason)
      return { accepted: false, reason, ageUs }
    }
    if (!read.pose) return refused('not_tracking')
    if (capturedUs === undefined) return refused('no_server_time')
    const late = slot.reasonAgainst(capturedUs, nowUs)
    if (late) return refused(late)
    const field = this.#fieldFor(source.spec)
    if (!field) return refused('no_map')
    const measurement = {
      sourceId: id,
      outputKey: sample.output_key,
      kind: source.spec.kind,
      capturedUs,
      resetCounter: sample.reset_counter ?? 0,
      ...robotIn(source.spec, field, { said: read.pose, std: deviationsOf(source.spec, sample) }),
    }
    slot.keep(measurement)
    if (source.spec.use === 'solve' && !this.#pass(source, measurement, nowUs)) slot.skip()
    return { accepted: true, reason: null, ageUs }
  }

  /** To the solve; false: it has had enough of that source. */
  #pass({ id }: KnownSource, measurement: ExternalMeasurement, nowUs: number): boolean {
    const hasRoom = this.#sources.get(id)?.bucket.take(1, nowUs / 1000) ?? false
    if (hasRoom) this.measured.set(measurement)
    return hasRoom
  }

  /** When it was true, CLOCK_MONOTONIC; undefined: nobody knows. */
  #capturedUs({ time_base }: ExternalSource, sample: ExternalSample, nowUs: number): number | undefined {
    if (time_base === 'arrival') return nowUs
    if (time_base === 'age_us') return nowUs - (sample.age_us ?? 0)
    const { value: session } = this.#parts.link
    return session && (sample.captured_us ?? 0) - session.serverOffsetUs()
  }

  #fieldFor({ origin }: ExternalSource): FieldSize | undefined {
    return needsField(origin) ? this.#parts.fieldSize() : NO_FIELD
  }
}

const noOutput = ({ id }: KnownSource, key: string): Fault => ({
  code: 'output.not_found',
  detail: `the external source ${id} has no output ${quote(key)}; its document lists them`,
})

const deviationsOf = ({ std_devs, std_floor }: ExternalSource, sample: ExternalSample): SixNumbers =>
  sixDeviations(sample.std_devs ?? std_devs, std_floor)

/** The robot, where the sensor or the robot is said to be, and how far off that may be. */
const robotIn = (
  { origin, mount }: ExternalSource,
  field: FieldSize,
  { said, std }: { readonly said: Pose; readonly std: SixNumbers },
): Pick<ExternalMeasurement, 'pose' | 'std'> => {
  const frame = frameOf(origin, field)
  if (!mount) return { pose: compose(frame, said), std }
  const sensor = poseFromDocument(mount)
  return { pose: compose(frame, robotOfSensor(said, sensor)), std: deviationsOfRobot(std, said, sensor) }
}
