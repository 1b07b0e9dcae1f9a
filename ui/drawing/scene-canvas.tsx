// A canvas with a scene in three dimensions. It is loaded only where somebody wants to see one.

import { useEffect, useRef, useState } from 'react'
import type { Object3D } from 'three'
import { useWidth } from './field-width.ts'
import { type Colours, onColours, readColours } from './scene-colours.ts'
import { hasThreeDimensions, Stage } from './scene-stage.ts'
import type { Viewpoint } from './scene-view.ts'

/** What stands in a scene. */
export interface Model<Content> {
  readonly object: Object3D
  /** Shows what is known now. */
  readonly update: (content: Content) => void
  /** Gives all of it back. */
  readonly dispose: () => void
}

/** What is shown, and from where. */
export interface SceneCanvasProps<Content> {
  /** Makes what stands in it: made again only when this is another function, or the colours are others. */
  readonly make: (colours: Colours) => Model<Content>
  readonly content: Content
  readonly view: Viewpoint
  /** What it shows, in words. */
  readonly label: string
}

const FIRST_WIDTH_PX = 640
const NARROW_PX = 520
const aspectAt = (width_px: number): number => (width_px < NARROW_PX ? 1.4 : 1.8)

/** The canvas, as wide as its place. Arrow keys go around, plus and minus nearer and farther. */
export const SceneCanvas = <Content,>(props: SceneCanvasProps<Content>) => {
  const [canDraw] = useState(hasThreeDimensions)
  if (canDraw) return <Drawn {...props} />
  return <p className="empty">This browser cannot draw in three dimensions. The view from above shows the same.</p>
}

const Drawn = <Content,>({ make, content, view, label }: SceneCanvasProps<Content>) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const stage = useRef<Stage>(undefined)
  const model = useRef<Model<Content>>(undefined)
  const newest = useRef(content)
  newest.current = content
  const [place, width] = useWidth<HTMLDivElement>(FIRST_WIDTH_PX)

  useEffect(() => {
    if (!canvas.current) return
    const mine = new Stage(canvas.current)
    stage.current = mine
    return () => {
      stage.current = undefined
      model.current?.dispose()
      mine.dispose()
    }
  }, [])

  useEffect(() => {
    const build = () => {
      if (!stage.current || !canvas.current) return
      model.current?.dispose()
      const colours = readColours(canvas.current.parentElement ?? document.body)
      const made = make(colours)
      made.update(newest.current)
      model.current = made
      stage.current.setGround(colours.ground)
      stage.current.scene.add(made.object)
      stage.current.draw()
    }
    build()
    const stop = onColours(build)
    return () => {
      stop()
      model.current?.dispose()
      model.current = undefined
    }
  }, [make])

  useEffect(() => stage.current?.resize(width, width / aspectAt(width)), [width])
  useEffect(() => stage.current?.look(view), [view])
  useEffect(() => {
    model.current?.update(content)
    stage.current?.draw()
  }, [content])

  return (
    <div ref={place} className="scene">
      <canvas ref={canvas} role="img" aria-label={label} tabIndex={0} style={{ aspectRatio: aspectAt(width) }} />
    </div>
  )
}
