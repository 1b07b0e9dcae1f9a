// Whether something that is sent here brings code with it.
import type { GraphDraft } from './graph.ts'

/** Whether a graph has a script that another has not: where it stands, and under which name, says nothing. */
export const hasNewScript = (before: GraphDraft, after: unknown): boolean => {
  const known = new Set(scriptsIn(before.nodes))
  const { nodes } = (after ?? {}) as { readonly nodes?: unknown }
  return Array.isArray(nodes) && scriptsIn(nodes).some((script) => !known.has(script))
}

const scriptsIn = (nodes: readonly unknown[]): readonly string[] =>
  nodes.flatMap((node) => {
    const { type, params } = (node ?? {}) as { readonly type?: unknown; readonly params?: unknown }
    return type === 'script' ? [JSON.stringify(params ?? null)] : []
  })

/**
 * Whether a document has, anywhere in it, a graph with a node of type `script`. Any value; each part of it is looked at
 * once.
 */
export const hasScript = (document: unknown): boolean => {
  const open: unknown[] = [document]
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each !== 'object' || each === null) continue
    const { nodes } = each as { readonly nodes?: unknown }
    if (Array.isArray(nodes) && nodes.some((node: { readonly type?: unknown } | null) => node?.type === 'script'))
      return true
    for (const part of Object.values(each)) if (typeof part === 'object' && part !== null) open.push(part)
  }
  return false
}
