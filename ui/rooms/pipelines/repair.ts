// Fixes of diagnostics: JSON Patches of a graph.
import { applyPatch, type Operation } from 'rfc6902'
import type { Documents } from '../../api/documents.ts'
import type { Graph } from './graph.ts'

type Fix = NonNullable<Documents['Diagnostic']['fix']>

/** The graph that a fix makes of another one; undefined: it was meant for one that is not there any more. */
export const repaired = (graph: Graph, fix: Fix): Graph | undefined => {
  const copy = structuredClone(graph)
  const failures = applyPatch(copy, fix as Operation[])
  return failures.every((failure) => failure === null) ? copy : undefined
}
