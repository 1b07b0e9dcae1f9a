// What a kind of source is: its schema, and the traits by which everybody else tells it from the others.
import type { Static, TLiteral, TObject } from 'typebox'
import type { PictureSize } from '../../cameras/crop.ts'
import type { CameraMode } from '../../cameras/mode.ts'
import type { SchemaError } from '../../schema/explain.ts'

/** A path that a manifest names. */
export interface NamedPath {
  /** Where it stands in the manifest (RFC 6901). */
  readonly pointer: string
  readonly path: string
}

/** A camera of this device, by its lasting name, and the mode in which it is to be opened. */
export interface OwnCamera extends CameraMode {
  readonly camera_uid: string
}

/** The same as a client may name it: what is left out of the mode is chosen among those of the camera. */
export type WantedCamera = Pick<OwnCamera, 'camera_uid'> & {
  readonly [Field in keyof CameraMode]?: CameraMode[Field] | undefined
}

/** A stream of a peer. */
export interface PeersStream {
  readonly peer_id: string
  readonly stream_id: string
}

/** A stream of a peer whose pictures are worked on here. */
export interface AttachedStream extends PeersStream {
  /** What its camera gives there. */
  readonly fps: number
}

/**
 * What is special about a kind of source. A trait that is left out is the answer of most kinds: no, none, as it is.
 * Each takes a source as a client may send it, since one that is whole is such a one too.
 */
export interface SourceTraits<Sent> {
  /** The camera of this device that it opens. Left out: its pictures come from elsewhere. */
  readonly ownCamera?: (source: Sent) => WantedCamera
  /** The stream of a peer whose pictures it has by order. Left out: it is no order, and anybody may send it. */
  readonly attachedStream?: (source: Sent) => AttachedStream
  /**
   * Whether its pictures are computed, so that their truth and lens are known, and moving the camera opens it again.
   */
  readonly isComputed?: boolean
  /** How large its pictures are, where the manifest says it; undefined: only its camera knows. */
  readonly size?: (source: Sent) => { readonly [Side in keyof PictureSize]: PictureSize[Side] | undefined }
  /** How many pictures a second it gives, where the manifest says it. Left out: only its file knows. */
  readonly fps?: (source: Sent) => number | undefined
  /** The files and folders of the device that it reads. */
  readonly paths?: (source: Sent) => readonly NamedPath[]
  /** The recording of this device that it plays, by its name. */
  readonly recording?: (source: Sent) => string | undefined
  /** Whether its pictures wait for a slow pipeline, instead of being skipped. */
  readonly waitsForPipeline?: (source: Sent) => boolean
  /** What is wrong with it that a schema cannot say. */
  readonly errors?: (source: Sent) => readonly SchemaError[]
  /** The same source as it may be shown to everybody. Left out: it holds no secret. */
  readonly shown?: (source: Sent) => Sent
  /** What stays of it under a change of some of its fields. Left out: all that is not changed. */
  readonly kept?: (source: Sent, patch: Readonly<Record<string, unknown>>) => Partial<Sent>
}

/** An object with the name of its kind in it. */
type SourceSchema<Backend extends string> = TObject<{ readonly backend: TLiteral<Backend> }>

/** A kind of source, as its file declares it. */
export interface SourceKind<
  Backend extends string,
  Sent extends SourceSchema<Backend>,
  Whole extends SourceSchema<Backend>,
> {
  /** Its name in a manifest. */
  readonly backend: Backend
  /** As a client may send it. */
  readonly sent: Sent
  /** With every default filled in. */
  readonly whole: Whole
  readonly traits: SourceTraits<Static<Sent>>
}

/** Declares a kind; the types of its traits follow from its schema. */
export const sourceKind = <
  Backend extends string,
  Sent extends SourceSchema<Backend>,
  Whole extends SourceSchema<Backend>,
>(
  kind: SourceKind<Backend, Sent, Whole>,
): SourceKind<Backend, Sent, Whole> => kind
