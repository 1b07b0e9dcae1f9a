// How a device gets another version of the service: where an uploaded bundle is kept and opened, and who installs it.
import type { Readable } from 'node:stream'
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'
import type { KnownSlots } from '../../machines/update/known-slots.ts'
import type { UpdateRecord } from '../../machines/update/record.ts'
import type { ReleaseManifest } from '../../machines/update/release.ts'
import type { AnnouncedUpload, StoredUpload } from '../../machines/update/upload.ts'

/** Called as often as something was done; whoever shows it slows it down. */
export type OnProgress = (bytes: number, totalBytes: number | null) => void

/** What is to be uploaded. */
export type Announced = AnnouncedUpload

/** An upload that has begun, or that an earlier run left behind. */
export type KeptUpload = StoredUpload

/** A file of a bundle as it is unpacked; each is read whole before the next comes. */
export interface BundleFile {
  readonly path: string
  readonly bytes: number
  readonly executable: boolean
  /** Fails when the content is not what the manifest says. */
  readonly content: Readable
}

/** A bundle whose signature and content hold. */
export interface VerifiedBundle {
  readonly manifest: ReleaseManifest
  /** Of its release.json, hexadecimal. */
  readonly sha256: string
  /** The bytes of its release.json. */
  readonly manifestBytes: Buffer
  /** Where it lies: for those who install it themselves. */
  readonly path: string
  /** By whom it was signed: the id of the key. */
  readonly signed_by: string
  /** All files in order, checked again as they are read. Throws a Fault. */
  readonly files: () => AsyncIterable<BundleFile>
}

/** The one place for an uploaded bundle: there is at most one. */
export interface BundleStore {
  /** What an earlier run left behind; null: nothing. */
  readonly kept: Effect.Effect<KeptUpload | null, Fault>
  /** Makes room and begins anew. Fails with `storage.full`, `body.too_large`, `device.failed`. */
  readonly begin: (announced: Announced) => Effect.Effect<KeptUpload, Fault>
  /**
   * Appends what arrives, from this offset on; the offset after it. What was appended stays also when it fails. body:
   * nobody else reads its pieces, whose memory is given back at once.
   */
  readonly append: (id: string, offset: number, body: Readable, onProgress: OnProgress) => Effect.Effect<number, Fault>
  /** Whoever appends is told `update.taken_over`, and nothing more of it is taken. */
  readonly endAppending: Effect.Effect<void>
  /** Whole and synced. */
  readonly complete: (id: string) => Effect.Effect<void, Fault>
  /** Opens what was completed, and checks all of it. Fails with `update.refused`. */
  readonly verify: (onProgress: OnProgress) => Effect.Effect<VerifiedBundle, Fault>
  /** Forgets all. */
  readonly clear: Effect.Effect<void, Fault>
}

/** What lies in the slots. */
export type Slots = KnownSlots

/** Who installs. All fail with `device.failed` or `storage.full`. */
export interface UpdateBackend {
  readonly kind: 'directory' | 'rauc' | 'none'
  /** Why no update is possible here, for people; null: it is. */
  readonly unavailable: string | null
  readonly slots: Effect.Effect<Slots, Fault>
  /** Writes it where it does not run; the name of the version. What was left half written goes away at a start. */
  readonly install: (bundle: VerifiedBundle, onProgress: OnProgress) => Effect.Effect<string, Fault>
  /** From the next start on it runs, on trial. Durable. */
  readonly activate: (name: string) => Effect.Effect<void, Fault>
  /** The one that runs stays. Durable. */
  readonly commit: Effect.Effect<void, Fault>
  /** The next start runs the previous one. Durable. reason: for people. */
  readonly goBack: (reason: string) => Effect.Effect<void, Fault>
  /** Ends this run so that the chosen version is started: the service, or the whole device. */
  readonly restart: Effect.Effect<void, Fault>
}

/** Where the record of an update is kept. */
export interface UpdateRecords {
  /** null: there is none, or it cannot be read, which is entered in the error history. */
  readonly load: Effect.Effect<UpdateRecord | null>
  /** Durable, and whole whenever the power goes. */
  readonly save: (record: UpdateRecord) => Effect.Effect<void, Fault>
}

/** Asks this very service for something over its real socket, as a client does. Fails when no answer comes in time. */
export type AskOwnApi = (at: { readonly host: string; readonly port: number }) => Effect.Effect<void, Fault>

export const UPDATE_RECORDS = token<UpdateRecords>('update_records')
export const ASK_OWN_API = token<AskOwnApi>('ask_own_api')
export const UPDATE_BACKEND = token<UpdateBackend>('update_backend')
export const BUNDLE_STORE = token<BundleStore>('bundle_store')
