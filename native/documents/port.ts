// Where documents and the error history are kept across restarts: a store with one writer.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import type { KeptErrors } from '../../machines/errors/history.ts'
import type { Job } from '../../machines/jobs/job.ts'
import type { Latest } from '../../machines/latest.ts'
import type { Stock } from '../../machines/media/disk-space.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import type { MediaKind } from '../../machines/media/media-type.ts'
import type { MediaPage, MediaQuery } from '../../machines/media/query.ts'
import type { KnownMedia } from '../../machines/media/repair.ts'
import type { GivenAnswer, KeptRequest, RequestMark } from '../../machines/requests/request.ts'
import type { SettingAside, Stored } from '../../machines/settings/load.ts'
import type { Commit } from '../../machines/settings/store.ts'
import { token } from '../../machines/token.ts'

/** The job that a client's order is about. mark: of the request, when that may be repeated. */
export interface OrderedJob {
  readonly id: string
  readonly mark: RequestMark | undefined
}

/** The removal of a media item that a client ordered. */
export interface OrderedRemoval {
  /** Of the request, when that may be repeated. */
  readonly mark: RequestMark | undefined
  /** That it is answered with. */
  readonly revision: number
}

/**
 * What is kept of the media items; their files lie elsewhere (native/media). Those whose removal was begun are neither
 * found nor listed.
 */
export interface MediaRows {
  readonly find: (name: string) => Effect.Effect<MediaItem | undefined, Fault>
  /** Whether the name is taken, also by one that is leaving. */
  readonly knows: (name: string) => Effect.Effect<boolean, Fault>
  readonly page: (query: MediaQuery) => Effect.Effect<MediaPage, Fault>
  /** Keeps a new item; synced to the disk when it succeeds. */
  readonly put: (item: MediaItem) => Effect.Effect<void, Fault>
  /**
   * Keeps an item that is there, as it is now, with the mark of the request that ordered it; synced to the disk when it
   * succeeds. False: it is not there any more, and stays away.
   */
  readonly change: (item: MediaItem, request?: RequestMark) => Effect.Effect<boolean, Fault>
  /**
   * Notes down that its files are about to go, with the mark of the request that ordered it; synced to the disk when it
   * succeeds.
   */
  readonly leave: (name: string, ordered?: OrderedRemoval) => Effect.Effect<void, Fault>
  /** Forgets an item whose files are gone. ordered: where its leaving could not be noted down. */
  readonly drop: (name: string, ordered?: OrderedRemoval) => Effect.Effect<void, Fault>
  /** As much of all there is as a start needs to know, in order of age. */
  readonly load: Effect.Effect<readonly KnownMedia[], Fault>
  readonly sums: Effect.Effect<MediaSums, Fault>
  /** What is whole and may be deleted without asking, the oldest first. */
  readonly automatic: Effect.Effect<Stock['automatic'], Fault>
}

/** How many items there are, and how many bytes they take by kind. */
export interface MediaSums {
  readonly items: number
  readonly bytes: Readonly<Record<MediaKind, number>>
}

/**
 * An open store. Each of these is one transaction and does not wait for anything but the disk; they fail with
 * `storage.full` or `storage.failed` and have then changed nothing.
 */
export interface Documents {
  /** Fails with what a write would be told now: `storage.full`, `storage.unavailable`, `storage.failed`. */
  readonly check: Effect.Effect<void, Fault>
  /** Keeps a good copy of all documents beside the store, the newest two, for the day on which it is broken. */
  readonly keepCopy: Effect.Effect<void, Fault>
  /** What is no document is among the unreadable and keeps nobody from reading the rest. */
  readonly load: Effect.Effect<Stored, Fault>
  /**
   * Moves what was loaded where it is kept but not used, and back what is used again. When it fails, the former is done
   * before anything else is stored under the same collection and id, so what was there is never written over. What is
   * stored or deleted under them is never tried again.
   */
  readonly setAside: (aside: SettingAside) => Effect.Effect<void, Fault>
  /** Synced to the disk when it succeeds, with the mark of the request that ordered it. */
  readonly commit: (commit: Commit) => Effect.Effect<void, Fault>
  /** What is kept of the request with this key. */
  readonly findRequest: (key: string) => Effect.Effect<KeptRequest | undefined, Fault>
  /** Keeps an answer, with the mark of its commit when there was one; written but not synced. */
  readonly finishRequest: (mark: RequestMark, answer: GivenAnswer) => Effect.Effect<void, Fault>
  readonly loadErrors: Effect.Effect<KeptErrors, Fault>
  /**
   * Replaces what is kept; written but not synced, a power cut may lose the latest. The first saving is synced, so that
   * a run's revisions stay its own.
   */
  readonly saveErrors: (kept: KeptErrors) => Effect.Effect<void, Fault>
  /** In the order in which they were accepted. */
  readonly loadJobs: Effect.Effect<readonly Job[], Fault>
  /**
   * Replaces the kept jobs, and keeps the mark of the request that started or removed one; synced to the disk when it
   * succeeds.
   */
  readonly saveJobs: (jobs: readonly Job[], ordered?: OrderedJob) => Effect.Effect<void, Fault>
  readonly media: MediaRows
  /**
   * What went wrong on opening without stopping it, for the error history: `storage.corrupt` when a broken file was set
   * aside.
   */
  readonly openingFaults: readonly Fault[]
}

export interface DocumentsPort {
  /**
   * Opens, creates or migrates the store; closes with the scope. Fails with `storage.newer_schema`, `storage.in_use`
   * (another process has it), `storage.full` or `storage.failed`, and has then left everything as it was.
   */
  readonly open: Effect.Effect<Documents, Fault, Scope.Scope>
}

/** The documents of this service. */
export const DOCUMENTS = token<DocumentsPort>('documents')

/** The open store, for branches with a table of their own in it; the slot is filled before their branches start. */
export const OPEN_DOCUMENTS = token<Latest<Documents>>('open-documents')
