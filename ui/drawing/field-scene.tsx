// The field in three dimensions.
import { useCallback } from 'react'
import type { Documents } from '../api/client.ts'
import { SceneCanvas } from './scene-canvas.tsx'
import type { Colours } from './scene-colours.ts'
import { type FieldContent, FieldModel } from './scene-field.ts'
import type { Viewpoint } from './scene-view.ts'

/** What is shown, and from where. */
export interface FieldSceneProps {
  readonly map: Documents['FieldMap']
  readonly content: FieldContent
  readonly view: Viewpoint
  /** What it shows, in words. */
  readonly label: string
}

/** The field in three dimensions. */
const FieldScene = ({ map, content, view, label }: FieldSceneProps) => {
  const make = useCallback((colours: Colours) => new FieldModel(map, colours), [map])
  return <SceneCanvas make={make} content={content} view={view} label={label} />
}

export default FieldScene
