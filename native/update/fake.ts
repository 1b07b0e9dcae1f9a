// Updates of a device that is none: bundles and versions in memory, which outlive the run that they are given to.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { KnownSlots } from '../../machines/update/known-slots.ts'
import type { UpdateRecord } from '../../machines/update/record.ts'
import { type ReleaseManifest, versionName } from '../../machines/update/release.ts'
import type { KnownVersion } from '../../machines/update/update-state.ts'
import type {
  Announced,
  BundleStore,
  KeptUpload,
  OnProgress,
  UpdateBackend,
  UpdateRecords,
  VerifiedBundle,
} from './port.ts'

const CANCELLED: Fault = { code: 'update.cancelled', detail: 'the upload was cancelled' }

const TAKEN_OVER: Fault = { code: 'update.taken_over', detail: 'another request goes on with this upload' }

/** A bundle is any text; the version that it carries is what stands in it after `vedette `. */
export class FakeBundles implements BundleStore {
  /** Of all that is done, while it is set. */
  fault: Fault | null = null
  /** What was uploaded; null: nothing. */
  upload: KeptUpload | null = null
  content = Buffer.alloc(0)
  #uploads = 0
  #appendings = 0

  readonly kept = Effect.suspend(() => this.#done(() => this.upload))

  readonly begin = (announced: Announced): Effect.Effect<KeptUpload, Fault> =>
    this.#done(() => {
      this.#uploads += 1
      this.content = Buffer.alloc(0)
      this.upload = { ...announced, id: `upload-${this.#uploads}`, offset: 0 }
      return this.upload
    })

  readonly append = (id: string, offset: number, body: Readable, onProgress: OnProgress) =>
    Effect.tryPromise({
      try: async () => {
        this.#appendings += 1
        const own = this.#appendings
        for await (const chunk of body) {
          if (own !== this.#appendings) throw TAKEN_OVER
          if (this.upload?.id !== id) throw CANCELLED
          this.content = Buffer.concat([this.content, chunk as Buffer])
          this.upload = { ...this.upload, offset: this.content.length }
          onProgress(this.content.length, this.upload.bytes)
        }
        return this.content.length
      },
      catch: (error): Fault =>
        error === CANCELLED || error === TAKEN_OVER
          ? (error as Fault)
          : { code: 'request.malformed', detail: `it broke off after ${offset} bytes: ${(error as Error).message}` },
    })

  readonly endAppending = Effect.sync(() => {
    this.#appendings += 1
  })

  readonly complete = (_id: string): Effect.Effect<void, Fault> => this.#done(() => {})

  readonly verify = (onProgress: OnProgress): Effect.Effect<VerifiedBundle, Fault> =>
    Effect.suspend(() => {
      const text = this.content.toString()
      const [, version] = /^vedette (\S+)/.exec(text) ?? []
      onProgress(text.length, text.length)
      if (version === undefined)
        return Effect.fail<Fault>({ code: 'update.refused', detail: 'what was uploaded is no bundle of this service' })
      return this.#done(() => fakeBundle(version))
    })

  readonly clear: Effect.Effect<void, Fault> = Effect.suspend(() =>
    this.#done(() => {
      this.upload = null
      this.content = Buffer.alloc(0)
    }),
  )

  #done<Value>(make: () => Value): Effect.Effect<Value, Fault> {
    return Effect.suspend(() => (this.fault ? Effect.fail(this.fault) : Effect.sync(make)))
  }
}

const manifestOf = (version: string): ReleaseManifest => ({
  format: 'vedette-release-1',
  product: 'vedette',
  version,
  hardware: ['linux-x64'],
  base: 'debian-12',
  minimum_version: '0.0.0',
  built_at_ms: 1_767_225_600_000,
  files: [],
})

/** A bundle whose signature holds, of a manifest. contentOf: what its files hold. */
export const verifiedBundle = (manifestBytes: Buffer, contentOf: (path: string) => Readable): VerifiedBundle => {
  const manifest = JSON.parse(manifestBytes.toString('utf8')) as ReleaseManifest
  return {
    manifest,
    manifestBytes,
    sha256: createHash('sha256').update(manifestBytes).digest('hex'),
    path: '/nowhere/upload',
    signed_by: 'a-key',
    files: async function* () {
      for (const { path, bytes, executable } of manifest.files)
        yield { path, bytes, executable, content: contentOf(path) }
    },
  }
}

/** A bundle of a version, with nothing in it. */
export const fakeBundle = (version: string): VerifiedBundle =>
  verifiedBundle(Buffer.from(JSON.stringify(manifestOf(version))), () => Readable.from([]))

const PACKAGED_VERSION: KnownVersion = { name: 'packaged', version: '0.0.0-fake', built_at_ms: null }

/** Versions in memory. What `restart` ends is up to its maker; `start` is what a launcher does. */
export class FakeUpdateBackend implements UpdateBackend {
  readonly kind = 'directory'
  readonly unavailable = null
  /** Of all that is done, while it is set. */
  fault: Fault | null = null
  known: KnownSlots = {
    running: PACKAGED_VERSION,
    other: null,
    isTrial: false,
    chosen: PACKAGED_VERSION.name,
    failed: null,
    floor: null,
  }
  /** How often this run was to be ended. */
  restarts = 0

  readonly slots: Effect.Effect<KnownSlots, Fault> = Effect.suspend(() => this.#done(() => this.known))

  readonly install = ({ manifest, sha256 }: VerifiedBundle, onProgress: OnProgress): Effect.Effect<string, Fault> =>
    this.#done(() => {
      const { version, built_at_ms } = manifest
      const name = versionName(version, sha256)
      this.known = { ...this.known, other: { name, version, built_at_ms } }
      onProgress(1, 1)
      return name
    })

  readonly activate = (name: string): Effect.Effect<void, Fault> =>
    this.#done(() => {
      this.known = { ...this.known, chosen: name }
    })

  readonly commit: Effect.Effect<void, Fault> = Effect.suspend(() =>
    this.#done(() => {
      this.known = { ...this.known, isTrial: false }
    }),
  )

  readonly goBack = (reason: string): Effect.Effect<void, Fault> =>
    this.#done(() => {
      const { running, other, isTrial, chosen } = this.known
      const failed = { version: chosen, reason, at_ms: 1_767_225_600_000, exits: [], left_behind: [] }
      this.known = { ...this.known, chosen: isTrial ? (other?.name ?? running.name) : running.name, failed }
    })

  readonly restart: Effect.Effect<void, Fault> = Effect.suspend(() =>
    this.#done(() => {
      this.restarts += 1
    }),
  )

  /** As a launcher does: from now on the chosen version runs. */
  start(): void {
    const { running, other, chosen } = this.known
    if (chosen === running.name || !other) return
    this.known = { ...this.known, running: other, other: running, isTrial: this.known.failed?.version !== running.name }
  }

  #done<Value>(make: () => Value): Effect.Effect<Value, Fault> {
    return Effect.suspend(() => (this.fault ? Effect.fail(this.fault) : Effect.sync(make)))
  }
}

/** A record in memory. */
export class FakeUpdateRecords implements UpdateRecords {
  fault: Fault | null = null
  record: UpdateRecord | null = null

  readonly load = Effect.sync(() => this.record)

  readonly save = (record: UpdateRecord): Effect.Effect<void, Fault> =>
    Effect.suspend(() => {
      if (this.fault) return Effect.fail(this.fault)
      this.record = record
      return Effect.void
    })
}
