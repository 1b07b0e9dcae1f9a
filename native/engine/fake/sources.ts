// What the fake engine says of each kind of source.
import type { PictureSize } from '../../../machines/cameras/crop.ts'
import type { EngineOpened, EngineSource, WantedControl } from '../port.ts'

type Capture = Pick<EngineOpened, 'pixel_format' | 'timestamp_source'>

/** What a kind of source is like to the fake engine. */
interface FakeSource<Source> {
  /** How its pictures come, and on what their times rest. */
  readonly capture: (source: Source) => Capture
  /** How large its pictures are, as far as it says that. */
  readonly size?: (source: Source) => PictureSize
  /** Pictures a second, as far as it says that. */
  readonly fps?: (source: Source) => number
  /** The values that its controls are to have. Left out: it is no camera that is plugged in, and has none. */
  readonly controls?: (source: Source) => readonly WantedControl[]
  /** Whether it knows what it shows. */
  readonly hasTruth?: boolean
  /** Whether it says when its pictures were taken, where the clock of its device is known. */
  readonly isStamped?: boolean
}

const SIZE: PictureSize = { width_px: 1280, height_px: 800 }
const FPS = 30

const filed = (): Capture => ({ pixel_format: 'jpeg', timestamp_source: 'file' })

/** A row for each kind that an engine opens. */
const FAKE_SOURCES: {
  readonly [Backend in EngineSource['backend']]: FakeSource<Extract<EngineSource, { readonly backend: Backend }>>
} = {
  synthetic: {
    capture: () => ({ pixel_format: 'gray8', timestamp_source: 'computed' }),
    size: ({ width_px = SIZE.width_px, height_px = SIZE.height_px }) => ({ width_px, height_px }),
    fps: ({ fps = FPS }) => fps,
    hasTruth: true,
  },
  images: { capture: filed, fps: ({ fps = FPS }) => fps },
  v4l2: {
    capture: ({ pixel_format }) => ({ pixel_format, timestamp_source: 'start-of-exposure' }),
    size: ({ width_px, height_px }) => ({ width_px, height_px }),
    fps: ({ fps }) => fps,
    controls: ({ controls }) => controls,
  },
  url: {
    capture: () => ({ pixel_format: 'jpeg', timestamp_source: 'arrival' }),
    fps: ({ fps = FPS }) => fps,
    isStamped: true,
  },
  file: { capture: filed },
}

const rowOf = ({ backend }: EngineSource): FakeSource<EngineSource> => FAKE_SOURCES[backend] as FakeSource<EngineSource>

/** How the pictures of a source come. */
export const captureOf = (source: EngineSource): Capture => rowOf(source).capture(source)

/** How large the pictures of a source are. */
export const sizeOf = (source: EngineSource): PictureSize => rowOf(source).size?.(source) ?? SIZE

/** Pictures a second. */
export const fpsOf = (source: EngineSource): number => rowOf(source).fps?.(source) ?? FPS

/** The values that the controls of a source are to have; undefined: it has none. */
export const wantedControlsOf = (source: EngineSource): readonly WantedControl[] | undefined =>
  rowOf(source).controls?.(source)

/** Whether a source knows what it shows. */
export const hasTruth = (source: EngineSource): boolean => rowOf(source).hasTruth ?? false

/** Whether a source says when its pictures were taken, where the clock of its device is known. */
export const isStamped = (source: EngineSource): boolean => rowOf(source).isStamped ?? false
