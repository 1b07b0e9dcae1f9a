// What is told to another device that a pipeline of it is to be changed: the parts that are others, as operations of
// JSON Patch.
import type { Documents } from '../../api/documents.ts'
import { type Graph, isSameValue } from './graph.ts'

type Operation = Documents['GraphPatchOperation']

const PARTS = ['nodes', 'edges', 'outputs', 'name', 'layout'] as const

/** What makes a graph of another one. Nothing, when both are the same. */
export const graphPatch = (before: Graph, after: Graph): readonly Operation[] =>
  PARTS.flatMap((part): readonly Operation[] => {
    const value = after[part]
    if (isSameValue(before[part], value)) return []
    return [value === undefined ? { op: 'remove', path: `/${part}` } : { op: 'add', path: `/${part}`, value }]
  })
