// Which nodes are chosen, and what is done with all of them at once: each is one step that can be undone.
import { useEffect, useMemo, useRef } from 'react'
import { counted } from '../../words.ts'
import { placesOf } from './arrange.ts'
import type { Edit } from './edit.ts'
import { isTyping } from './editor-keys.ts'
import { type Fragment, fragmentIn, fragmentOf, fragmentText, withFragment, withoutNodes } from './fragment.ts'
import type { NodeTypes } from './graph.ts'

/** What can be done with the nodes that are chosen. */
export interface ChosenNodes {
  readonly remove: () => void
  readonly duplicate: () => void
  /** Puts them onto the clipboard, as a text. */
  readonly copy: () => void
  readonly chooseAll: () => void
}

interface Parts {
  readonly edit: Edit
  readonly types: NodeTypes
  readonly selected: readonly string[]
  readonly select: (ids: readonly string[]) => void
  readonly say: (text: string) => void
  /** So that keys go to the graph. */
  readonly focusGraph: () => void
}

/** Also by keys, wherever on the page the focus is, and by the clipboard. */
export const useChosenNodes = (parts: Parts): ChosenNodes => {
  const latest = useRef(parts)
  latest.current = parts
  const actions = useMemo(() => actionsOn(() => latest.current), [])
  useEffect(() => {
    const stops = [onKeys(actions), ...onClipboard(actions)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [actions])
  return actions
}

type Actions = ReturnType<typeof actionsOn>

const actionsOn = (parts: () => Parts) => {
  const now = () => {
    const { edit, types, selected } = parts()
    const graph = edit.getSnapshot().context.history.now
    return { graph, places: placesOf(graph, types), selected }
  }
  const put = (fragment: Fragment) => {
    const { edit, select, say, focusGraph } = parts()
    const { graph, places } = now()
    const { graph: next, ids } = withFragment(graph, fragment, places)
    edit.trigger.changed({ graph: next })
    select(ids)
    focusGraph()
    say(`${counted(ids.length, 'node')} added: ${ids.join(', ')}.`)
  }
  const fragment = (): Fragment | undefined => {
    const { graph, places, selected } = now()
    return selected.length > 0 ? fragmentOf(graph, selected, places) : undefined
  }
  const remove = () => {
    const { edit, select, say } = parts()
    const { graph, selected } = now()
    if (selected.length === 0) return
    edit.trigger.changed({ graph: withoutNodes(graph, selected) })
    select([])
    say(`${counted(selected.length, 'node')} deleted.`)
  }
  return {
    put,
    fragment,
    remove,
    duplicate: () => {
      const chosen = fragment()
      if (chosen) put(chosen)
    },
    // the clipboard of a page over plain HTTP is reached by this alone
    copy: () => document.execCommand('copy'),
    chooseAll: () => {
      parts().select(now().graph.nodes.map(({ id }) => id))
      parts().focusGraph()
    },
    sayCopied: ({ nodes }: Fragment) => parts().say(`${counted(nodes.length, 'node')} copied.`),
  }
}

/** Whether keys mean the graph: not what is typed, and nothing in a dialog. */
const isForGraph = (target: EventTarget | null): boolean =>
  !isTyping(target) && !(target instanceof Element && target.closest('dialog'))

const onKeys = ({ chooseAll, duplicate }: Actions): (() => void) => {
  const takeKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, target } = event
    if (!(ctrlKey || metaKey) || !isForGraph(target)) return
    const act = { a: chooseAll, d: duplicate }[key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    act()
  }
  addEventListener('keydown', takeKey)
  return () => removeEventListener('keydown', takeKey)
}

const onClipboard = ({ put, fragment, remove, sayCopied }: Actions): readonly (() => void)[] => {
  const takeCopy = (event: ClipboardEvent) => {
    const chosen = fragment()
    const isText = (getSelection()?.toString() ?? '') !== ''
    if (!chosen || isText || !isForGraph(event.target)) return
    event.clipboardData?.setData('text/plain', fragmentText(chosen))
    event.preventDefault()
    if (event.type === 'cut') remove()
    else sayCopied(chosen)
  }
  const takePaste = (event: ClipboardEvent) => {
    if (!isForGraph(event.target)) return
    const pasted = fragmentIn(event.clipboardData?.getData('text/plain') ?? '')
    if (!pasted) return
    event.preventDefault()
    put(pasted)
  }
  const kinds = { copy: takeCopy, cut: takeCopy, paste: takePaste }
  return Object.entries(kinds).map(([kind, take]) => {
    const listener = take as EventListener
    document.addEventListener(kind, listener)
    return () => document.removeEventListener(kind, listener)
  })
}
