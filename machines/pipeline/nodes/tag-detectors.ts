// Nodes that find tags in pictures. They differ in the kinds of tags that they know.

import { APRILTAG_FAMILIES } from '../../engine/tag-families.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { defaultEach, everyOne } from '../default-each.ts'
import { imagePort, type NodeType, STRICT } from '../node-type.ts'
import { ARUCO_DICTIONARIES } from './aruco-dictionaries.ts'
import { wholeDecimate } from './decimate.ts'
import { dictionariesRefusal, familiesRefusal, MAX_TABLE_MB } from './decoding-tables.ts'

/** Of what a look at the whole picture costs: measured on pictures of up to 25 tags, `npm run bench -- tracked`. */
const TRACKED_SHARE = 0.45

/** That the service's own detector uses, whatever it is given. */
const MAX_OWN_THREADS = 2

/** That a detector with these parameters uses. */
export const usedThreads = ({ engine, threads }: Readonly<Record<string, unknown>>): number =>
  engine === 'vedette' ? Math.min(Number(threads), MAX_OWN_THREADS) : Number(threads)

/**
 * What two threads take of the time of one; where tags are followed parts of pictures are too small for two. `npm run
 * bench -- two-threads`.
 */
const SHARED = { full: 0.6, tracked: 0.75 }

/**
 * Of libapriltag's time at decimate 1 a third stays in the full picture whatever the factor, the rest shrinks with the
 * small one: decimate 2 takes a third of it. The service's own detector takes a quarter of that, and shrinks as a
 * whole.
 */
const detectorFactor = (params: Readonly<Record<string, unknown>>): number => {
  const small = 1 / wholeDecimate(Number(params.decimate)) ** 2
  const mode = params.mode === 'tracked' ? 'tracked' : 'full'
  const threads = usedThreads(params)
  const whole =
    params.engine === 'vedette'
      ? (0.05 + 0.7 * small) * (threads > 1 ? SHARED[mode] : 1)
      : (1 / 3 + (8 / 3) * small) / threads
  return mode === 'tracked' ? TRACKED_SHARE * whole : whole
}

const detector = {
  category: 'tags',
  inputs: [imagePort('gray')],
  outputs: [{ name: 'detections', kind: 'detections' }],
  cost: { us: 200, ns_per_px: 20, factor: detectorFactor },
  live: ['min_margin', 'ids'],
  labels: {
    engine: { title: 'Detector' },
    decimate: { step: 0.5 },
    blur: { unit: 'px' },
    refine: { title: 'Refine corners' },
    max_hamming: { title: 'Maximum corrected bits' },
    ids: { title: 'Only these IDs' },
  },
} as const satisfies Partial<NodeType>

const search = {
  engine: Type.Enum(['vedette', 'reference'], {
    default: 'vedette',
    description: oneLine`
      Who looks: this service's own detector (\`vedette\`), or libapriltag (\`reference\`), which finds fewer tags in
      five times the time; at decimate 2 it takes more than the other at 1. A picture that is too full for \`vedette\`
      (noise of eight megapixels) is looked at smaller than \`decimate\` says, with the warning \`picture.too_full\`.
    `,
  }),
  mode: Type.Enum(['full', 'tracked'], {
    default: 'full',
    description: oneLine`
      Where it is looked: in the whole of every picture (\`full\`), or, with less than half of the work, where tags
      must be by now, and in an eighth of the rest (\`tracked\`): a new tag is then found within eight pictures. For
      cameras, not for pictures that have nothing to do with the one before.
    `,
  }),
  decimate: Type.Number({
    minimum: 1,
    maximum: 8,
    default: 1,
    description: oneLine`
      Quads are searched in a picture smaller by this factor: 1.5, or a whole number; between them it is as the one
      below. Corners are refined in the full picture. 2 takes a third of the time of 1, and small tags are lost.
    `,
  }),
  blur: Type.Number({
    minimum: 0,
    maximum: 5,
    default: 0,
    description: 'Standard deviation in pixels; helps with noisy pictures.',
  }),
  threads: Type.Integer({
    minimum: 1,
    maximum: 4,
    default: 1,
    description: oneLine`
      That look at a picture at once, with the same answer. Of \`vedette\` at most ${MAX_OWN_THREADS} are used: where
      the second has a processor of its own a look takes six tenths of the time, else a little more than on one thread.
      The detectors of a graph have 8 together; where they ask for more, each has its part.
    `,
  }),
  refine: Type.Boolean({ default: true, description: 'Moves edges to the strongest gradient: better corners.' }),
}

const MinMargin = Type.Number({
  minimum: 0,
  maximum: 255,
  description: oneLine`
    Least decision margin, on libapriltag's scale: how far bits are from the middle grey, about 0.9 of the contrast of
    a sharp tag.
  `,
})

const MaxHamming = Type.Integer({
  minimum: 0,
  maximum: 2, // the tables for 3 take 1.2 GB and four seconds, and accept noise
  description: oneLine`
    Most bits that may be corrected. Each one makes false tags many times likelier, and the tables for it larger: all of
    a detector take ${MAX_TABLE_MB} MB at most.
  `,
})

const ids = Type.Array(Type.Integer({ minimum: 0, maximum: 100_000 }), {
  maxItems: 1000,
  uniqueItems: true,
  default: [],
  description: 'Only these tags; empty = all.',
})

export const tagDetectors: Readonly<Record<'apriltag' | 'aruco', NodeType>> = {
  apriltag: {
    ...detector,
    description: 'Finds AprilTags, of any of their families.',
    refusal: familiesRefusal,
    params: Type.Object(
      {
        families: Type.Array(Type.Enum([...APRILTAG_FAMILIES]), {
          minItems: 1,
          maxItems: APRILTAG_FAMILIES.length,
          uniqueItems: true,
          default: ['tag36h11'],
        }),
        ...search,
        // Measured: docs/decisions/0212-least-margins.md. `npm run bench -- margins` measures them again.
        min_margin: defaultEach('families', MinMargin, everyOne(APRILTAG_FAMILIES, 2)),
        max_hamming: defaultEach('families', MaxHamming, {
          ...everyOne(APRILTAG_FAMILIES, 0), // of few bits, or of so many tags that the table for one takes 100 MB
          tag36h11: 1,
          tag25h9: 1,
          tag36h10: 1,
          tagStandard41h12: 1,
        }),
        ids,
      },
      STRICT,
    ),
  },
  aruco: {
    ...detector,
    description: oneLine`
      Finds ArUco markers, with the same detector as AprilTags: the same corners, in the same order, and the same
      margins.
    `,
    refusal: dictionariesRefusal,
    params: Type.Object(
      {
        dictionaries: Type.Array(Type.Enum([...ARUCO_DICTIONARIES]), {
          minItems: 1,
          maxItems: ARUCO_DICTIONARIES.length,
          uniqueItems: true,
          default: ['4x4_50'],
          description: oneLine`
            OpenCV's, by their names without \`DICT_\`. Results call their markers aruco_4x4 and so on, however many
            the dictionary has. Take the smallest that has your markers: the more codes, the more of what is none
            reads as one, most of all of 4x4.
          `,
        }),
        ...search,
        min_margin: defaultEach(
          'dictionaries',
          MinMargin,
          // What reads as one of 16 bits is refused by nothing else; one in seven is by this.
          Object.fromEntries(ARUCO_DICTIONARIES.map((each) => [each, each.startsWith('4x4') ? 5 : 2])),
        ),
        max_hamming: defaultEach(
          'dictionaries',
          MaxHamming,
          // Of 16 and 25 bits a corrected one lets too much pass.
          Object.fromEntries(ARUCO_DICTIONARIES.map((each) => [each, /^[67]/.test(each) ? 1 : 0])),
        ),
        ids,
      },
      STRICT,
    ),
  },
}
