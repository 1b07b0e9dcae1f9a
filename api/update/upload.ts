// The rows by which a bundle is uploaded: as the body, in a form, or in the manner of tus, which can be gone on with.
// The machine of updates says whether anything may come, and what becomes of it; here it only arrives.
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { askNow, DISK_LIMIT } from '../../actors/ask.ts'
import type { Directory } from '../../actors/directory.ts'
import type { ArrivingBundle } from '../../actors/update/tokens.ts'
import type { ClientCode } from '../../machines/errors/catalogue.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import { updateChanged } from '../../machines/update/events.ts'
import type { UpdateEvent } from '../../machines/update/update-commands.ts'
import { UpdateState, updateExample } from '../../machines/update/update-state.ts'
import { type AnnouncedUpload, noUpload, type StoredUpload } from '../../machines/update/upload.ts'
import { discardBody, liftLimit } from '../connections/request-limit.ts'
import { sendDocument, sendEmpty } from '../endpoints/answer.ts'
import { restarting } from '../endpoints/command.ts'
import { custom } from '../endpoints/custom.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { fault, sendProblem } from '../problems/problem.ts'
import { type FormFile, fileInForm } from './form-file.ts'
import { bytesIn, isTus, OFFSET_MEDIA_TYPE, otherProtocol, sayWhere, TUS_OPTIONS } from './tus.ts'

/** What the rows work with. */
export interface UploadParts {
  readonly directory: Directory
  readonly bundle: ArrivingBundle
  /** Where the update stands. */
  readonly view: () => UpdateState | Fault
}

const strict = { additionalProperties: false } as const

const UploadPlace = Type.Object(
  {
    id: Type.String({ description: 'Of the upload.' }),
    offset: Type.Integer({ minimum: 0, description: 'How many bytes are on the disk: where to go on.' }),
    bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Of all; null: not known.' }),
  },
  { ...strict, title: 'UploadPlace', description: 'Where the upload of a bundle stands.' },
)

const params = {
  upload_id: Type.String({ description: 'As Location said when it was created.', examples: ['upload-1'] }),
}

const example = Buffer.from('vedette 1.5.0')
const answer = {
  status: 'created',
  mediaType: 'application/json',
  schema: UpdateState,
  example: updateExample,
} as const

const TUS_RESUMABLE = { about: 'The version of tus.', isRequired: true, example: '1.0.0' }

const RECEIVE_FAULTS: readonly ClientCode[] = [
  ...(['actor.not_now', 'actor.unavailable', 'actor.timeout', 'actor.ended'] as const),
  ...(['update.unavailable', 'update.busy', 'update.refused', 'update.cancelled', 'update.other_offset'] as const),
  ...(['update.no_upload', 'update.other_protocol', 'update.taken_over'] as const),
  ...(['storage.full', 'storage.failed', 'device.failed'] as const),
  ...(['request.malformed', 'request.timeout', 'media_type.unsupported'] as const),
]

/** What is here is good, and these faults say only that this request did not do: the client can go on. */
const OF_THE_REQUEST: ReadonlySet<string> = new Set([
  ...(['request.malformed', 'request.timeout'] as const),
  ...(['update.other_offset', 'update.busy'] as const),
] satisfies readonly ClientCode[])

/** It is another request's now, which says what becomes of it. */
const TAKEN_OVER: ClientCode = 'update.taken_over'

export const uploadRows = (parts: UploadParts): readonly Endpoint[] => {
  const uploads = new Uploads(parts)
  return [
    custom('POST', '/v1/ota/upload', {
      because: 'one path takes bytes in three ways, and one of them goes on in other requests',
      summary: 'Upload a bundle',
      about: oneLine`
        The bundle is the body, or the one file of a form (\`multipart/form-data\`); or, in the manner of tus 1.0
        (\`Tus-Resumable\`, \`Upload-Length\`), the upload is only begun, or goes on with what the body holds, and
        Location says where it is gone on with. One at a time; one that broke off gives way to the next. Room is judged
        before anything comes. Answers when the bundle is here whole and is no damaged one; then it is checked, and
        \`${updateChanged.kind}\` tells what becomes of it. At least 64 KiB must come every 20 s.
      `,
      access: 'administer',
      options: TUS_OPTIONS,
      publishes: [updateChanged],
      upload: {
        mediaTypes: ['application/octet-stream', 'multipart/form-data', OFFSET_MEDIA_TYPE],
        described: {},
        example,
        headers: {
          'Tus-Resumable': { ...TUS_RESUMABLE, isRequired: false },
          'Upload-Length': { about: 'Of all that will come; with tus.', isRequired: false, example: '83886080' },
        },
      },
      answer: {
        ...answer,
        headers: {
          Location: 'With tus: where the upload is gone on with.',
          'Upload-Offset': 'With tus: how many bytes are here.',
          'Tus-Resumable': 'With tus: its version.',
        },
      },
      serve: (call, reply) => uploads.begin(call.request, reply),
      faults: RECEIVE_FAULTS,
    }),

    custom('GET', '/v1/ota/upload/:upload_id', {
      because: 'clients of tus read the headers of HEAD, others the document',
      params,
      summary: 'Where the upload of a bundle stands',
      about: 'HEAD has all of it in headers, as tus 1.0 does.',
      options: TUS_OPTIONS,
      answer: {
        status: 'ok',
        mediaType: 'application/json',
        schema: UploadPlace,
        example: { id: 'upload-1', offset: 16_777_216, bytes: 83_886_080 },
        headers: {
          'Upload-Offset': 'How many bytes are on the disk.',
          'Upload-Length': 'Of all, where that is known.',
          'Tus-Resumable': 'The version of tus.',
        },
      },
      serve: async ({ params: { upload_id } }, reply) => {
        const kept = await uploads.named(upload_id)
        if (isFault(kept)) return sendProblem(reply, kept)
        sayWhere(reply, kept)
        const { id, offset, bytes } = kept
        return sendDocument(reply, 'ok', { id, offset, bytes })
      },
      faults: ['update.no_upload', 'storage.full', 'storage.failed', 'device.failed'],
    }),

    custom('PATCH', '/v1/ota/upload/:upload_id', {
      because: 'its body goes on with an upload, as tus 1.0 does',
      params,
      summary: 'Go on with the upload of a bundle',
      about: oneLine`
        From \`Upload-Offset\` on, which has to be where the upload stands. The last bytes answer when the bundle is
        here whole. After a connection broke off, HEAD says where to go on; so it does after a restart of the device. A
        request that goes on ends the one before, whose connection may have died without a word.
      `,
      access: 'administer',
      options: TUS_OPTIONS,
      upload: {
        mediaTypes: [OFFSET_MEDIA_TYPE],
        described: {},
        example: Buffer.alloc(0),
        headers: {
          'Tus-Resumable': TUS_RESUMABLE,
          'Upload-Offset': { about: 'Where the body goes on.', isRequired: true, example: String(example.length) },
        },
      },
      answer: { status: 'empty', headers: { 'Upload-Offset': 'How many bytes are here now.' } },
      serve: ({ params: { upload_id }, request }, reply) => uploads.goOn(upload_id, request, reply),
      faults: RECEIVE_FAULTS,
    }),

    custom('DELETE', '/v1/ota/upload/:upload_id', {
      because: 'it cancels the update, but only this one',
      params,
      summary: 'Forget the upload of a bundle',
      about: 'As `POST /v1/ota/cancel` does, if this is the bundle that is uploaded, checked or ready.',
      access: 'administer',
      options: TUS_OPTIONS,
      publishes: [updateChanged],
      answer: { status: 'empty' },
      serve: ({ params: { upload_id } }, reply) => uploads.forget(upload_id, reply),
      faults: [
        ...(['update.no_upload', 'update.not_cancellable', 'update.unavailable', 'update.busy'] as const),
        ...(['actor.not_now', 'actor.unavailable', 'actor.timeout', 'actor.ended'] as const),
        ...(['storage.full', 'storage.failed', 'device.failed'] as const),
      ],
    }),
  ]
}

/** Where an upload stands. */
type Place = Omit<StoredUpload, 'resumable'>

/** What becomes of an upload, beside its bytes. */
type UploadFact = Extract<UpdateEvent, { readonly type: 'update.arriving' | 'update.paused' | 'update.receive_failed' }>

/** How uploads go, one request at a time. */
class Uploads {
  readonly #parts: UploadParts

  constructor(parts: UploadParts) {
    this.#parts = parts
  }

  /** POST: all of a bundle, or the beginning of an upload by tus. */
  async begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    liftLimit(request.raw)
    const done = isTus(request) ? await this.#create(request, reply) : await this.#takeWhole(request)
    request.raw.unpipe()
    discardBody(request.raw)
    if (isFault(done)) return sendProblem(reply, done)
    const view = this.#parts.view()
    return isFault(view) ? sendProblem(reply, view) : sendDocument(reply, 'created', view)
  }

  /** PATCH. */
  async goOn(id: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    liftLimit(request.raw)
    const done = await this.#goOn(id, request, reply)
    discardBody(request.raw)
    if (isFault(done)) return sendProblem(reply, done)
    sayWhere(reply, done)
    return sendEmpty(reply, undefined)
  }

  /** DELETE. */
  async forget(id: string, reply: FastifyReply): Promise<FastifyReply> {
    const kept = await this.named(id)
    if (isFault(kept)) return sendProblem(reply, kept)
    const done = await this.#ask({ type: 'update.cancel' })
    return isFault(done) ? sendProblem(reply, done) : sendEmpty(reply, undefined)
  }

  /** The upload, if it has this id. */
  async named(id: string): Promise<StoredUpload | Fault> {
    const kept = await this.#parts.bundle.kept()
    if (kept === null) return noUpload
    return isFault(kept) || kept.id === id ? kept : noUpload
  }

  async #takeWhole({ raw, headers }: FastifyRequest): Promise<Fault | undefined> {
    const packed = headers['content-encoding'] ?? 'identity'
    if (packed !== 'identity')
      return fault('media_type.unsupported', `the body is compressed (${packed}); send the bundle as it is`)
    const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
    if (!/^multipart\/form-data\b/i.test(headers['content-type'] ?? ''))
      return this.#take({ bytes: length, resumable: false }, () => ({ content: raw, flaw: () => undefined }))
    const announced = { bytes: null, resumable: false, ...(length !== null && { upTo: length }) }
    return this.#take(announced, () => fileInForm(raw, headers))
  }

  /** All of it in one request. */
  async #take(announced: AnnouncedUpload, open: () => FormFile | Fault): Promise<Fault | undefined> {
    const upload = await this.#ask({ type: 'update.receive', announced })
    if (isFault(upload)) return upload
    const { id, offset } = upload as StoredUpload
    const body = open()
    this.#tell({ type: 'update.arriving', id })
    const end = isFault(body) ? body : await this.#parts.bundle.append(id, offset, body.content)
    if (isFault(end)) {
      const why = (isFault(body) ? undefined : body.flaw()) ?? end
      this.#tell({ type: 'update.receive_failed', id, fault: why })
      return why
    }
    return this.#received(id)
  }

  async #create(request: FastifyRequest, reply: FastifyReply): Promise<Fault | undefined> {
    const refusal = otherProtocol(request, reply)
    if (refusal) return refusal
    const bytes = bytesIn(request, 'upload-length')
    if (bytes === undefined)
      return fault('request.malformed', 'Upload-Length says how many bytes will come, as a whole number')
    const upload = await this.#ask({ type: 'update.receive', announced: { bytes, resumable: true } })
    if (isFault(upload)) return upload
    const { id } = upload as StoredUpload
    const isWith = request.headers['content-type'] === OFFSET_MEDIA_TYPE
    const done = await this.#appendPart({ id, offset: 0, bytes }, isWith ? request.raw : null)
    if (isFault(done)) return done
    reply.header('location', `/v1/ota/upload/${id}`)
    sayWhere(reply, done)
    return undefined
  }

  async #goOn(id: string, request: FastifyRequest, reply: FastifyReply): Promise<Place | Fault> {
    const kept = await this.named(id)
    if (isFault(kept)) return kept
    const refusal = otherProtocol(request, reply)
    if (refusal) return refusal
    const type = request.headers['content-type']
    if (type !== undefined && type !== OFFSET_MEDIA_TYPE)
      return fault('media_type.unsupported', `the body must be ${OFFSET_MEDIA_TYPE}; its content-type is ${type}`)
    const offset = bytesIn(request, 'upload-offset')
    if (offset !== kept.offset) return otherOffset(kept)
    const at = { id, offset, bytes: kept.bytes }
    const resumed = await this.#ask({ type: 'update.resume', id })
    if (offset !== kept.bytes) return isFault(resumed) ? resumed : this.#appendPart(at, request.raw)
    // it is whole, and only who sent the last byte may not have been heard
    return (isFault(resumed) ? undefined : await this.#received(id)) ?? at
  }

  /** Part of an upload by tus. body null: nothing comes with this request. */
  async #appendPart(at: Place, body: Readable | null): Promise<Place | Fault> {
    const { id, bytes } = at
    if (body) this.#tell({ type: 'update.arriving', id })
    const offset = body === null ? at.offset : await this.#parts.bundle.append(id, at.offset, body)
    if (isFault(offset)) {
      if (offset.code === TAKEN_OVER) return offset
      const isKept = OF_THE_REQUEST.has(offset.code)
      this.#tell(isKept ? { type: 'update.paused', id } : { type: 'update.receive_failed', id, fault: offset })
      return offset
    }
    if (offset !== bytes) this.#tell({ type: 'update.paused', id })
    return (offset === bytes ? await this.#received(id) : undefined) ?? { id, offset, bytes }
  }

  async #received(id: string): Promise<Fault | undefined> {
    const done = await this.#ask({ type: 'update.received', id })
    return isFault(done) ? done : undefined
  }

  async #ask(command: Command<'update'>): Promise<unknown | Fault> {
    const actor = this.#parts.directory.actor('update')
    if (!actor) return restarting('update')
    const reply = await askNow(actor, command, DISK_LIMIT)
    return reply.outcome === 'done' ? reply.value : reply.fault
  }

  #tell(fact: UploadFact): void {
    this.#parts.directory.actor('update')?.send(fact)
  }
}

const otherOffset = ({ offset }: Place): Fault =>
  fault('update.other_offset', `${offset} bytes of this upload are here; go on from there (Upload-Offset)`, {
    context: { offset },
  })
