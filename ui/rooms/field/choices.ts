// What of the field is looked at, and how: it stands in the address, so that a link shows the same.
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import type { FieldLayers } from '../../drawing/scene-field.ts'

/** From where one looks. */
export const VIEWS = ['above', '3d', 'blue', 'red', 'camera'] as const
export type View = (typeof VIEWS)[number]

/** What may be left out, and what that is called. */
export const LAYERS: Readonly<Record<keyof FieldLayers, string>> = {
  lines: 'Lines to tags',
  frusta: 'Camera views',
  trail: 'Trail',
  ellipse: '3 sigma',
  truth: 'Truth',
}

/** All that is chosen. */
export interface Choices {
  /** Of streams; undefined: nobody has chosen. */
  readonly streams: readonly string[] | undefined
  /** Whether the pose of all cameras together is looked at; undefined: nobody has chosen. */
  readonly isJoint: boolean | undefined
  readonly view: View
  readonly layers: FieldLayers
  /** undefined: the map of the streams. */
  readonly map: string | undefined
}

const isView = (text: string | null): text is View => VIEWS.some((view) => view === text)

const listOf = (text: string | null): readonly string[] => (text ?? '').split(',').filter((item) => item !== '')

const read = (query: URLSearchParams): Choices => {
  const view = query.get('view')
  const hidden = listOf(query.get('hide'))
  const layers = Object.keys(LAYERS).map((layer) => [layer, !hidden.includes(layer)])
  return {
    streams: query.has('stream') ? listOf(query.get('stream')) : undefined,
    isJoint: query.has('together') ? query.get('together') === 'yes' : query.has('stream') ? false : undefined,
    view: isView(view) ? view : 'above',
    layers: Object.fromEntries(layers) as unknown as FieldLayers,
    map: query.get('map') ?? undefined,
  }
}

/** What is chosen, and how to choose. What is empty is taken out of the address. */
export const useChoices = () => {
  const [query, setQuery] = useSearchParams()
  const choices = useMemo(() => read(query), [query])
  const choose = useCallback(
    (name: 'stream' | 'together' | 'view' | 'map' | 'hide', value: string | undefined) =>
      setQuery(
        (now) => {
          const next = new URLSearchParams(now)
          if (value === undefined) next.delete(name)
          else next.set(name, value)
          return next
        },
        { replace: name === 'hide' },
      ),
    [setQuery],
  )
  return { choices, choose }
}
