// From a manifest as a user writes it to one that the engine can run: every default filled in, every contradiction
// named.

import { fittedCrop } from '../cameras/crop.ts'
import { type CanonicalGraph, defaultGraph, type GraphDocument } from '../pipeline/graph.ts'
import { type Planned, planGraph } from '../pipeline/plan.ts'
import { filledGraph, missingPlugins, planWithoutMissing } from '../pipeline/without-missing.ts'
import { filled } from '../schema/defaults.ts'
import type { SchemaError } from '../schema/explain.ts'
import { CanonicalManifest, type Intrinsics, type StreamManifest } from './manifest.ts'
import { slotErrors } from './slots.ts'
import { pathErrors } from './sources/media-roots.ts'
import { pathsOf, sizeOfSource, sourceErrors } from './sources/traits.ts'

export type Canonical =
  | { readonly ok: true; readonly manifest: CanonicalManifest }
  | { readonly ok: false; readonly errors: readonly SchemaError[] }

/**
 * Checks what a schema cannot say and fills in the defaults. The manifest has passed its schema; id is used when it has
 * none. Nobody grants himself files: `media_grants` is left out, and added by whoever judged the paths
 * (machines/stream/sources/media-roots.ts).
 */
export const canonicalManifest = (
  { media_grants: _, ...manifest }: StreamManifest,
  id = manifest.id ?? 'stream',
): Canonical => {
  const planned = canonicalGraph(manifest.pipeline ?? defaultGraph)
  const own = manifest.own_pipeline && canonicalGraph(manifest.own_pipeline)
  const errors = [
    ...planErrors(planned, '/pipeline'),
    ...(own ? planErrors(own, '/own_pipeline') : []),
    ...slotErrors(manifest),
    ...(manifest.intrinsics ? lensErrors(manifest.intrinsics) : []),
    ...pathErrors(pathsOf(manifest.source)),
    ...sourceErrors(manifest.source),
  ]
  if (!planned.ok || errors.length > 0) return { ok: false, errors }
  const whole = {
    ...manifest,
    id,
    alias: manifest.alias ?? id,
    pipeline: planned.graph,
    ...(own?.ok && { own_pipeline: own.graph }),
    ...(manifest.intrinsics && { intrinsics: withoutPrism(manifest.intrinsics) }),
  }
  return withFittedCrop(filled(CanonicalManifest, whole) as CanonicalManifest)
}

/**
 * What a plugin brings may be gone and come back: it is stored all the same, and runs as far as it can. Whether a new
 * one may be run is for those to say who take it (orders.ts).
 */
const canonicalGraph = (graph: GraphDocument): Canonicalized => {
  if (missingPlugins(graph).length === 0) return planGraph(graph)
  const rest = planWithoutMissing(graph)
  return rest.ok ? { ok: true, graph: filledGraph(graph) } : rest
}

type Canonicalized = Exclude<Planned, { readonly ok: true }> | { readonly ok: true; readonly graph: CanonicalGraph }

const planErrors = (planned: Canonicalized, at: string): readonly SchemaError[] =>
  planned.ok ? [] : planned.errors.map((error) => ({ ...error, pointer: at + error.pointer }))

/**
 * Pictures of files and of cameras on the network have a size that is known when they are opened: the engine judges
 * their crop.
 */
const withFittedCrop = ({ crop: wanted, ...manifest }: CanonicalManifest): Canonical => {
  const size = sizeOfSource(manifest.source)
  const crop = wanted && size ? fittedCrop(wanted, size) : { ok: true as const, crop: wanted ?? null }
  if (!crop.ok) return crop
  return { ok: true, manifest: crop.crop ? { ...manifest, crop: crop.crop } : manifest }
}

/** What OpenCV's functions take. The last two are the model of 8 with a thin prism, and with a tilted sensor. */
const DISTORTION_LENGTHS = [0, 4, 5, 8, 12, 14]
const RATIONAL_LENGTH = 8 // what follows is of a prism or a tilt, which nobody here computes with

/** OpenCV writes 12 or 14 numbers also of a lens without a prism: with zeros it is the lens of the first eight. */
const withoutPrism = (lens: Intrinsics): Intrinsics => ({
  ...lens,
  distortion: lens.distortion.slice(0, RATIONAL_LENGTH),
})

// In widths of the picture: 0.1 is wider than any pinhole lens sees, 20 is a telescope.
const MIN_FOCAL = 0.1
const MAX_FOCAL = 20

/** In widths and heights: a cropped sensor has its centre beside the picture, but near. */
const BESIDE = 0.5

/** What no lens is like. It would not fail: it would give poses that are far off, or none. */
const lensErrors = (lens: Intrinsics): SchemaError[] => {
  const { width_px: width, height_px: height, distortion } = lens
  const errors: SchemaError[] = []
  const expect = (field: 'fx_px' | 'fy_px' | 'cx_px' | 'cy_px', least: number, most: number, what: string) => {
    const value = lens[field]
    if (value < least || value > most)
      errors.push({
        pointer: `/intrinsics/${field}`,
        message: `must be ${least} to ${most} (${what}), not ${value}; give pixels, as a calibration does`,
      })
  }
  const focal = `a focal length is ${MIN_FOCAL} to ${MAX_FOCAL} widths of the picture`
  const centre = 'the centre lies in the picture or near it'
  expect('fx_px', MIN_FOCAL * width, MAX_FOCAL * width, focal)
  expect('fy_px', MIN_FOCAL * width, MAX_FOCAL * width, focal)
  expect('cx_px', -BESIDE * width, (1 + BESIDE) * width, centre)
  expect('cy_px', -BESIDE * height, (1 + BESIDE) * height, centre)
  if (!DISTORTION_LENGTHS.includes(distortion.length))
    errors.push({
      pointer: '/intrinsics/distortion',
      message: `has ${distortion.length} numbers; OpenCV's models have 0, 4, 5 or 8: fill up with zeros`,
    })
  const prism = distortion.findIndex((value, n) => n >= RATIONAL_LENGTH && value !== 0)
  if (prism >= 0)
    errors.push({
      pointer: `/intrinsics/distortion/${prism}`,
      message:
        `must be 0, not ${distortion[prism]}: thin prisms and tilted sensors (s1 to s4, τx, τy) are not modelled; ` +
        'calibrate without CALIB_THIN_PRISM_MODEL and CALIB_TILTED_MODEL',
    })
  return errors
}
