// Colour: the tuning files of cameras, their colour matrices, the chart by which one is found.
import { basename } from 'node:path'
import { SOLVE_CHART, TUNING_FILES } from '../../actors/ipa/tokens.ts'
import { sheetPdf } from '../../machines/calibration/board/pdf.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { CcmSolution, ccmSolutionExample, solveQuery } from '../../machines/ipa/ccm-solution.ts'
import { chartQuery, drawChart, rasterChart } from '../../machines/ipa/chart-drawing.ts'
import { ipaChanged } from '../../machines/ipa/events.ts'
import { CcmOrder, ccmOrderExample, Ipa, ipaExample, TuningPath } from '../../machines/ipa/ipa.ts'
import { OWN_FOLDER } from '../../machines/ipa/places.ts'
import { about } from '../../machines/schema/about.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { CHART_FINDER } from '../../native/ipa/port.ts'
import { bitmapPng } from '../calibration/bitmap-png.ts'
import { sendDocument, sendEmpty } from '../endpoints/answer.ts'
import { areaOf } from '../endpoints/area.ts'
import { blob } from '../endpoints/blob.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { upload } from '../endpoints/upload.ts'

const needs = { files: TUNING_FILES, solve: SOLVE_CHART, finder: CHART_FINDER }

const NOTHING = new Uint8Array()

const EXAMPLE_PICTURE = Buffer.from('89504e470d0a1a0a', 'hex')

const ABOUT_CHART = oneLine`
  24 patches in six columns, with four markers in the margin by which this device finds it without a search. It is for
  trying the procedure: the inks of a printer and the light of a screen are no reference, and that stands on it.
`

/** What both forms of the chart have in common. */
const chartForm = {
  query: chartQuery,
  headers: { 'Content-Disposition': 'A name for the file.' },
} as const

export const ipaArea = areaOf(needs, ({ files, solve, finder }) =>
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

    blob('GET', '/v1/device/ipa/ccm/chart', {
      ...chartForm,
      summary: 'A colour chart as a picture',
      about: ABOUT_CHART,
      mediaType: 'image/png',
      get: async ({ query: { paper = 'a4', edition = 'after_2014' } }) => ({
        bytes: await bitmapPng(rasterChart(drawChart(paper, edition))),
        headers: { 'content-disposition': `inline; filename="colour-chart-${paper}.png"` },
      }),
    }),

    blob('GET', '/v1/device/ipa/ccm/chart.pdf', {
      ...chartForm,
      summary: 'A colour chart to print',
      about: ABOUT_CHART,
      mediaType: 'application/pdf',
      get: ({ query: { paper = 'a4', edition = 'after_2014' } }) => ({
        bytes: sheetPdf(drawChart(paper, edition)),
        headers: { 'content-disposition': `inline; filename="colour-chart-${paper}.pdf"` },
      }),
    }),

    upload('POST', '/v1/device/ipa/ccm/solve', {
      summary: 'Solve for a colour matrix',
      about: oneLine`
        From a picture of a chart of 24 patches: the body (JPEG or PNG, at most 64 MiB and 20 megapixels), or without a
        body a media item or the next picture of a stream. The chart is looked for, unless its corners are given. Greys
        give the white balance; the matrix is the one with the least difference to the eye, with rows that sum to 1.
        Nothing is written: \`reasons\` say what speaks against it.
      `,
      query: solveQuery,
      mediaTypes: ['image/png', 'image/jpeg'],
      upload: EXAMPLE_PICTURE,
      answer: { status: 'ok', schema: CcmSolution, example: ccmSolutionExample },
      take: async ({ query }, bytes) => {
        const isNamed = query.media_name !== undefined || query.stream_id !== undefined
        const sent = isNamed && !bytes.length ? NOTHING : await finder.receive(bytes)
        return isFault(sent) ? sent : solve(query, sent)
      },
      faults: [
        ...(['chart.not_found', 'ipa.not_found', 'ipa.not_changed', 'device.failed', 'query.invalid'] as const),
        ...(['media.invalid', 'media.not_found', 'media.not_ready', 'storage.failed', 'actor.unavailable'] as const),
        ...(['stream.not_found', 'stream.no_picture', 'picture.too_many_kinds'] as const),
        ...(['output.not_found', 'output.other_kind', 'media.no_side_car'] as const),
      ],
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
