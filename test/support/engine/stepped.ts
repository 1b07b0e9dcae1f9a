// The vision half of the engine without its threads and clock: every frame is processed, equal tasks give equal
// results, and seconds cost none.
import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { RESULT_HEADER, type Result, type ResultLayout } from '../../../machines/engine/result.ts'
import { demoMap, type FieldMap } from '../../../machines/localization/field-map.ts'
import { type Pose, type PoseDocument, poseFromDocument } from '../../../machines/localization/pose.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { Intrinsics, StreamManifest } from '../../../machines/stream/manifest.ts'
import type { SyntheticSource } from '../../../machines/stream/sources/synthetic.ts'

const ADDON = fileURLToPath(new URL('../../../native/addon/', import.meta.url))

/** Which of the camera's frames are processed. */
export interface Steps {
  readonly manifest: StreamManifest
  readonly map?: FieldMap
  readonly frames: number
  /** How far the heading is off that the robot says, degrees; default: it says none. */
  readonly headingOffDeg?: number
  /** Of the camera's frames, the n-th ones. */
  readonly every?: number
  /** Beginning with that one. */
  readonly from?: number
  /** Whether results have an observation; default no. */
  readonly observes?: boolean
}

/** Frames of a synthetic camera through its plan. */
export const stepped = async (steps: Steps): Promise<Result[]> => {
  const { layout, lines } = wordsOf(steps)
  return run(layout, steps.observes ? [...lines, 'observes'] : lines, steps.observes)
}

/** How often memory is asked for in a frame, by library; `own`: by our own code. */
export interface Allocations {
  /** By the ids of the plan's. */
  readonly steps: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly packing: Readonly<Record<string, number>>
  /** That were packed. */
  readonly numbers: number
}

/** Frames of a synthetic camera through its plan, twice: who asks for memory in the second turn. */
export const allocations = async (steps: Steps): Promise<Allocations> =>
  JSON.parse((await written('allocations', wordsOf(steps).lines)).toString()) as Allocations

const wordsOf = ({ manifest, map = demoMap, frames, every = 1, from = 0, headingOffDeg }: Steps) => {
  const { plan, source, mount } = read(manifest)
  if (source.backend !== 'synthetic') throw new Error('only the synthetic camera can be stepped')
  const lines = [
    ...cameraWords(source),
    ...(mount ? [`mount ${words(poseFromDocument(mount))}`] : []),
    ...mapWords(map),
    ...plan.words,
    ...(headingOffDeg === undefined ? [] : [`heading ${headingOffDeg}`]),
    `frames ${frames} ${every} ${from}`,
  ]
  return { layout: plan.layout, lines }
}

/**
 * Pictures from files through a plan, in their order. intrinsics: of the camera that took them. light, noise: as a
 * dimmer, noisier camera would have seen them, which then has no colour.
 */
export const steppedPictures = async (
  files: readonly string[],
  { pipeline, intrinsics, light = 1, noise = 0 }: Pick<StreamManifest, 'pipeline' | 'intrinsics'> & Degraded,
): Promise<Result[]> => {
  const { plan } = read({ source: { backend: 'synthetic' }, ...(pipeline && { pipeline }) })
  const camera = [`light ${light} 0 0`, `noise ${noise} 1 0`, ...(intrinsics ? [lensWords(intrinsics)] : [])]
  return run(plan.layout, [...mapWords(demoMap), ...plan.words, ...camera, ...files.map((file) => `picture ${file}`)])
}

interface Degraded {
  readonly light?: number
  readonly noise?: number
}

const lensWords = ({ width_px, height_px, fx_px, fy_px, cx_px, cy_px, distortion }: Intrinsics): string =>
  `lens ${[width_px, height_px, fx_px, fy_px, cx_px, cy_px].join(' ')} ${list(distortion)}`

const read = (manifest: StreamManifest) => {
  const canonical = canonicalManifest(manifest)
  if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
  const { source, pose: mount, pipeline } = canonical.manifest
  const planned = planGraph(pipeline)
  if (!planned.ok) throw new Error(JSON.stringify(planned.errors))
  const { slots, steps, outputs } = planned.plan
  const layout: ResultLayout = {
    stages: steps.map(({ id }) => id),
    outputs: [
      ...outputs.flatMap(({ port, kind }) => (kind === 'image' ? [] : [{ port, kind }])),
      { port: 'truth', kind: 'truth' },
      { port: 'visible', kind: 'visible' },
    ],
  }
  const lines = [
    `slots ${slots}`,
    ...steps.flatMap(({ id, type, inputs, outputs: to, params }) => [
      `step ${id} ${type} ${list(inputs)} ${list(to)}`,
      ...Object.entries(params).map(([name, value]) => `param ${name} ${paramWords(value)}`),
    ]),
    ...outputs.map(({ port, slot }) => `output ${port} ${slot}`),
  ]
  return { source, mount, plan: { layout, words: lines } }
}

const list = (values: readonly unknown[]): string => [values.length, ...values].join(' ')

const paramWords = (value: unknown): string => {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return `flag ${Number(value)}`
  if (typeof value === 'string') return `string ${value}`
  if (typeof value === 'number') return `number ${value}`
  if (Array.isArray((value as unknown[])[0]))
    return `rows ${list((value as unknown[][]).map((row) => list(row.flat(Number.POSITIVE_INFINITY))))}`
  return `${typeof (value as unknown[])[0] === 'string' ? 'strings' : 'numbers'} ${list(value as unknown[])}`
}

const words = ({ x, y, z, qw, qx, qy, qz }: Pose): string => [x, y, z, qw, qx, qy, qz].join(' ')

const cameraWords = (source: SyntheticSource): string[] => [
  `size ${source.width_px} ${source.height_px}`,
  `fps ${source.fps}`,
  `motion ${source.motion} ${source.speed_m_s}`,
  `light ${source.light} ${source.vignetting} ${source.exposure_us}`,
  `noise ${source.noise} ${source.seed} ${source.occlusion}`,
  ...(source.pose ? [`pose ${words(poseFromDocument(source.pose as PoseDocument))}`] : []),
  ...(source.drive ? [`drive ${source.drive.seed} ${source.drive.speed_m_s} ${source.drive.spin_deg_s}`] : []),
  ...faultWords(source.faults ?? {}),
]

const faultWords = ({ mount, lens_share = 0, map, tags = [] }: NonNullable<SyntheticSource['faults']>): string[] => [
  `lens_share ${lens_share}`,
  ...(mount ? [`mount_fault ${words(poseFromDocument(mount))}`] : []),
  ...(map ? [`map_faults ${map.m} ${map.deg} ${map.seed}`] : []),
  ...tags.map(({ id, offset }) => `displaced ${id} ${words(poseFromDocument(offset))}`),
]

const mapWords = (map: FieldMap): string[] => [
  `map ${map.family} ${map.tag_size_m} ${map.length_m} ${map.width_m}`,
  ...map.tags.flatMap(({ id, pose, family, size_m }) => [
    `tag ${id} ${words(poseFromDocument(pose))}`,
    ...(family ? [`family ${family}`] : []),
    ...(size_m ? [`tag_size ${size_m}`] : []),
  ]),
]

const built = new Map<string, Promise<unknown>>()

/** Where a program of the addon's is, as its sources are now. */
const programOf = async (program: string): Promise<string> => {
  const making =
    // other tests make it too
    built.get(program) ?? promisify(execFile)('flock', [`${ADDON}build`, 'make', '-s', '-C', ADDON, program])
  built.set(program, making)
  await making
  return `${ADDON}build/${program}`
}

/** The program that makes frames: with another one they may be others. */
export const steppingProgram = async (): Promise<Uint8Array> => readFile(await programOf('step'))

/** What a program of the addon's makes of a task. */
const written = async (program: string, lines: readonly string[]): Promise<Buffer> => {
  const child = spawn(await programOf(program), { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(`${lines.join('\n')}\n`)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [bytes, complaint] = await Promise.all([buffer(child.stdout), text(child.stderr)])
  if ((await ended) !== 0) throw new Error(complaint)
  return bytes
}

const run = async (layout: ResultLayout, lines: readonly string[], observes = false): Promise<Result[]> => {
  const bytes = await written('step', lines)
  const aligned = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const records = recordsIn(new Float64Array(aligned))
  const results = observes ? records.filter((_, n) => n % 2 === 0) : records
  if (results.some(({ length }) => length < RESULT_HEADER.length))
    throw new Error('the program wrote something else than results')
  return results.map((data, n) => ({ layout, data, ...(observes && { observation: records[2 * n + 1] }) }) as Result)
}

const recordsIn = (numbers: Float64Array): Float64Array[] => {
  const records: Float64Array[] = []
  for (let at = 0; at < numbers.length; at += 1 + (numbers[at] as number))
    records.push(numbers.subarray(at + 1, at + 1 + (numbers[at] as number)))
  return records
}
