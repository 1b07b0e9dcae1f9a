// The outputs of a stream, as its manifest promises them.
import type { OutputKind } from '../engine/result.ts'
import type { Fault } from '../errors/fault.ts'
import { planWithoutMissing } from '../pipeline/without-missing.ts'
import { oneLine } from '../schema/one-line.ts'
import type { CanonicalManifest } from './manifest.ts'
import { isComputed } from './sources/traits.ts'

/** An output. from: `<node>.<port>` of the graph; null: the synthetic camera adds it. */
export interface Promised<Kind = OutputKind | 'image'> {
  readonly port: string
  readonly kind: Kind
  readonly from: string | null
}

/** The outputs of a stream's graph, then those of its synthetic camera. */
export const outputsOf = ({ pipeline, source }: CanonicalManifest): Promised[] => {
  const planned = planWithoutMissing(pipeline)
  const ports = planned.ok ? planned.plan.outputs : []
  const from = new Map(pipeline.outputs.map((output) => [output.port, output.from]))
  const own = ports.map(({ port, kind }) => ({ port, kind, from: from.get(port) ?? null }))
  return isComputed(source) ? [...own, added('truth'), added('visible')] : own
}

/** A kind of output that says where a tag or the robot is. */
export type LocalizationKind = 'tag_poses' | 'field_pose'

/** Those that say where a tag or the robot is. */
export const localizationOutputsOf = (manifest: CanonicalManifest): Promised<LocalizationKind>[] =>
  outputsOf(manifest).filter((output): output is Promised<LocalizationKind> => LOCALIZATION_KINDS.includes(output.kind))

const LOCALIZATION_KINDS: readonly Promised['kind'][] = ['tag_poses', 'field_pose']

const added = (kind: 'truth' | 'visible'): Promised => ({ port: kind, kind, from: null })

export const outputNotFound = (id: string, port: string): Fault => ({
  code: 'output.not_found',
  detail: `the stream ${id} has no output ${JSON.stringify(port)}; see pipeline/outputs`,
})

/** Whether an output of that name is a picture. */
export const isPicture = (manifest: CanonicalManifest, port: string): boolean =>
  outputsOf(manifest).some((each) => each.port === port && each.kind === 'image')

/** Why an output cannot be watched; undefined: it can. */
export const whyNoPicture = (manifest: CanonicalManifest, port: string): Fault | undefined => {
  const output = outputsOf(manifest).find((each) => each.port === port)
  if (!output) return outputNotFound(manifest.id, port)
  if (output.kind === 'image') return undefined
  return {
    code: 'output.other_kind',
    detail: oneLine`
      the output ${port} gives ${output.kind}, which are no picture; read them at pipeline/outputs/${port}/sample`,
  }
}
