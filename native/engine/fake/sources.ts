// What the fake engine says of each kind of source.
import type { EngineOpened, EngineSource } from '../port.ts'

type Capture = Pick<EngineOpened, 'pixel_format' | 'timestamp_source'>

/** What a kind of source is like to the fake engine. */
interface FakeSource<Source> {
  /** How its pictures come, and on what their times rest. */
  readonly capture: (source: Source) => Capture
  /** Whether it knows what it shows. */
  readonly hasTruth?: boolean
  /** Whether it says when its pictures were taken, where the clock of its device is known. */
  readonly isStamped?: boolean
}

const filed = (): Capture => ({ pixel_format: 'jpeg', timestamp_source: 'file' })

/** A row for each kind that an engine opens. */
const FAKE_SOURCES: {
  readonly [Backend in EngineSource['backend']]: FakeSource<Extract<EngineSource, { readonly backend: Backend }>>
} = {
  synthetic: { capture: () => ({ pixel_format: 'gray8', timestamp_source: 'computed' }), hasTruth: true },
  images: { capture: filed },
  v4l2: { capture: ({ pixel_format }) => ({ pixel_format, timestamp_source: 'start-of-exposure' }) },
  url: { capture: () => ({ pixel_format: 'jpeg', timestamp_source: 'arrival' }), isStamped: true },
  file: { capture: filed },
}

const rowOf = ({ backend }: EngineSource): FakeSource<EngineSource> => FAKE_SOURCES[backend] as FakeSource<EngineSource>

/** How the pictures of a source come. */
export const captureOf = (source: EngineSource): Capture => rowOf(source).capture(source)

/** Whether a source knows what it shows. */
export const hasTruth = (source: EngineSource): boolean => rowOf(source).hasTruth ?? false

/** Whether a source says when its pictures were taken, where the clock of its device is known. */
export const isStamped = (source: EngineSource): boolean => rowOf(source).isStamped ?? false
