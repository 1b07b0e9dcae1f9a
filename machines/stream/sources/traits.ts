// What everybody else asks of a source, instead of which kind it is: the traits of its kind (source-kind.ts), asked of
// the source itself.
import type { PictureSize } from '../../cameras/crop.ts'
import type { SchemaError } from '../../schema/explain.ts'
import { type CanonicalSource, SOURCE_KINDS, type SourceBackend, type SourceDocument, type SourceOf } from './source.ts'
import type { AttachedStream, NamedPath, OwnCamera, SourceTraits, WantedCamera } from './source-kind.ts'

/** One row of traits for all kinds: a kind is only ever asked about sources of its own. */
const TRAITS = new Map(
  SOURCE_KINDS.map(({ backend, traits }) => [backend, traits as SourceTraits<SourceDocument>] as const),
)

const traitsOf = ({ backend }: SourceDocument): SourceTraits<SourceDocument> => TRAITS.get(backend) ?? {}

/** The camera of this device that a source opens; undefined: its pictures come from elsewhere. */
export function ownCameraOf(source: CanonicalSource): OwnCamera | undefined
export function ownCameraOf(source: SourceDocument): WantedCamera | undefined
export function ownCameraOf(source: SourceDocument): WantedCamera | undefined {
  return traitsOf(source).ownCamera?.(source)
}

/** The stream of a peer whose pictures a source has by order; undefined: it is no such order. */
export const attachedStreamOf = (source: SourceDocument): AttachedStream | undefined =>
  traitsOf(source).attachedStream?.(source)

/** Whether the pictures of a source are computed, so that their truth is known. */
export const isComputed = (source: SourceDocument): boolean => traitsOf(source).isComputed ?? false

/** The picture that a source gives, where the manifest says it. undefined: only its camera or files know. */
export const sizeOfSource = (source: SourceDocument): PictureSize | undefined => {
  const { width_px, height_px } = traitsOf(source).size?.(source) ?? { width_px: undefined, height_px: undefined }
  return width_px === undefined || height_px === undefined ? undefined : { width_px, height_px }
}

/** How many pictures a second a source gives, where the manifest says it. undefined: only its file or camera knows. */
export const fpsOfSource = (source: SourceDocument): number | undefined => traitsOf(source).fps?.(source)

/** The files and folders that a source reads; none for a camera that has no files. */
export const pathsOf = (source: SourceDocument): readonly NamedPath[] => traitsOf(source).paths?.(source) ?? []

/** The recording of this device that a source plays, by its name; undefined: none. */
export const recordingOf = (source: SourceDocument): string | undefined => traitsOf(source).recording?.(source)

/** Whether the pictures of a source wait for a slow pipeline. */
export const waitsForPipeline = (source: SourceDocument): boolean =>
  traitsOf(source).waitsForPipeline?.(source) ?? false

/** What is wrong with a source that its schema cannot say, and that follows from the source alone. */
export const sourceErrors = (source: SourceDocument): readonly SchemaError[] => traitsOf(source).errors?.(source) ?? []

/** A source as it may be shown to everybody. */
export const shownSource = (source: CanonicalSource): CanonicalSource =>
  (traitsOf(source).shown?.(source) ?? source) as CanonicalSource

/** What stays of a source when a client changes it. Another kind has nothing of the previous one. */
export const keptOfSource = (
  source: CanonicalSource,
  patch: Readonly<Record<string, unknown>>,
): Partial<SourceDocument> => {
  const { backend = source.backend } = patch
  if (backend !== source.backend) return {}
  return traitsOf(source).kept?.(source, patch) ?? source
}

/** A row for each kind: what is done with a source of it. One that is left out does not compile. */
export type ByKind<Context, Answer> = {
  readonly [Backend in SourceBackend]: (source: SourceOf<Backend>, context: Context) => Answer
}

/** Does with a source what the row of its kind says. */
export const byKind = <Context, Answer>(
  rows: ByKind<Context, Answer>,
  source: CanonicalSource,
  context: Context,
): Answer => (rows[source.backend] as (source: CanonicalSource, context: Context) => Answer)(source, context)
