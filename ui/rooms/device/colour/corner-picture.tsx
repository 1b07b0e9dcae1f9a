// The picture that was chosen, on which the four corners of the chart can be clicked; and where the chart was found.
import { type MouseEvent, useEffect, useState } from 'react'

interface Props {
  readonly file: File
  readonly corners: string
  readonly onChange: (corners: string) => void
  readonly found: readonly { readonly x: number; readonly y: number }[] | undefined
}

const placesIn = (corners: string): readonly (readonly [number, number])[] =>
  corners
    .split(';')
    .map((place) => place.split(',').map(Number) as [number, number])
    .filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y))

/** A fifth click begins again. */
export const CornerPicture = ({ file, corners, onChange, found }: Props) => {
  const [url, setUrl] = useState<string>()
  const [size, setSize] = useState<{ readonly width: number; readonly height: number }>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  const places = placesIn(corners)
  const click = ({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>) => {
    if (!size) return
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    const x = Math.round(((clientX - left) / width) * size.width)
    const y = Math.round(((clientY - top) / height) * size.height)
    const before = places.length >= 4 ? [] : places
    onChange([...before, [x, y]].map((place) => place.join(',')).join('; '))
  }
  const shown = found?.map(({ x, y }): readonly [number, number] => [x, y]) ?? places
  return (
    <figure className="device-colour-picture">
      {/* the same can be typed into the field of the corners */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div onClick={click}>
        {url && (
          <img
            src={url}
            alt="The chosen one"
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize({ width: naturalWidth, height: naturalHeight })
            }
          />
        )}
        {size && shown.length > 0 && (
          <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
            <polygon points={shown.map((place) => place.join(',')).join(' ')} />
          </svg>
        )}
      </div>
      <figcaption className="hint">
        {found ? 'Where the chart was found.' : 'If the chart is not found, click its four corners, clockwise.'}
      </figcaption>
    </figure>
  )
}
