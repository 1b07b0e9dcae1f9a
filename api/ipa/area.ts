// Colour: the tuning files of cameras, their colour matrices, the chart by which one is found.
import { basename } from 'node:path'
import { TUNING_FILES } from '../../actors/ipa/tokens.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { ipaChanged } from '../../machines/ipa/events.ts'
import { CcmOrder, ccmOrderExample, Ipa, ipaExample, TuningPath } from '../../machines/ipa/ipa.ts'
import { OWN_FOLDER } from '../../machines/ipa/places.ts'
import { about } from '../../machines/schema/about.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { sendDocument, sendEmpty } from '../endpoints/answer.ts'
import { areaOf } from '../endpoints/area.ts'
import { blob } from '../endpoints/blob.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'

const needs = { files: TUNING_FILES }

export const ipaArea = areaOf(needs, ({ files }) =>
  area('ipa', 'Colour: tuning files of cameras, and their colour matrices.', [
    read('GET', '/v1/device/ipa', {
      summary: 'The tuning files of cameras',
      about: oneLine`
        What libcamera reads for the sensors of this device when a program opens its cameras: all files that were found,
        in the order in which it looks for them, which one is in force, and the colour matrices of those of the sensors
        that are there. Cameras over USB have none. \`${ipaChanged.kind}\` tells of changes by this service.
      `,
      query: { file: Type.Optional(about(TuningPath, 'Its content is shown too.')) },
      answer: Ipa,
      example: ipaExample,
      get: ({ query }) => files.status(query.file),
      faults: ['ipa.not_found'],
    }),

    blob('GET', '/v1/device/ipa/download', {
      summary: 'A tuning file as it is',
      about: 'Byte by byte. Only files that are listed can be had.',
      query: { file: Type.Optional(about(TuningPath, 'Default: that in force for the one sensor that is there.')) },
      mediaType: 'application/octet-stream',
      headers: { 'Content-Disposition': 'The name of the file.' },
      get: async ({ query }) => {
        const found = await files.download(query.file)
        if (isFault(found)) return found
        const name = basename(found.path).replace(/[^\w.-]/g, '_')
        return { bytes: found.bytes, headers: { 'content-disposition': `attachment; filename="${name}"` } }
      },
      faults: ['ipa.not_found', 'ipa.not_changed'],
    }),

    custom('POST', '/v1/device/ipa/ccm', {
      because: 'no actor writes tuning files: they are files of the system, written once',
      summary: 'Write a colour matrix',
      about: oneLine`
        Writes a whole copy of the file in force to ${OWN_FOLDER}, where no package changes it and libcamera looks
        first. Every byte of it but those of the list of matrices stays as it is. The matrix takes the place of that of
        the same light (within 150 K), or stands at its place by temperature. \`remove\` deletes the copy again. It
        holds from the next start of the engine on, which \`restart_engine\` orders.
      `,
      access: 'administer',
      body: { schema: CcmOrder, example: ccmOrderExample },
      answer: { status: 'empty' },
      publishes: [ipaChanged],
      serve: async ({ body }, reply) => {
        const fault = await files.change(body)
        return fault ? sendDocument(reply, 'ok', fault) : sendEmpty(reply, undefined)
      },
      faults: ['ipa.not_found', 'ipa.not_changed', 'restart.robot_enabled', 'storage.full', 'storage.failed'],
    }),
  ]),
)
