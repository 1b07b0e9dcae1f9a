// The part of the picture that is being chosen, in numbers.
import { Button, WriteNote } from '../../parts/parts.tsx'
import { NumberInput } from '../../parts/slider.tsx'
import { type CropChoice, describePart, fitPart, MIN_CROP_PX, type Part } from './use-crop.ts'

const FIELDS = [
  { key: 'x_px', name: 'Left' },
  { key: 'y_px', name: 'Top' },
  { key: 'width_px', name: 'Width' },
  { key: 'height_px', name: 'Height' },
] as const satisfies readonly { readonly key: keyof Part; readonly name: string }[]

/** Below the picture. */
export const CropFields = ({ crop }: { readonly crop: CropChoice }) => {
  const { draft, picture, isCropped, state, apply, takeTheirs, reset } = crop
  return (
    <div className="streams-crop-fields">
      <p className="hint">
        Drag over the picture, or say it in pixels of the whole picture ({picture.width_px}×{picture.height_px}).
      </p>
      <div className="row">
        {FIELDS.map(({ key, name }) => (
          <span key={key} className="row">
            <span aria-hidden>{name}</span>
            <NumberInput
              label={`${name} of the crop`}
              value={draft.value[key]}
              min={key.startsWith('x') || key.startsWith('y') ? 0 : MIN_CROP_PX}
              max={key === 'x_px' || key === 'width_px' ? picture.width_px : picture.height_px}
              step={1}
              onChange={(value) => draft.change(fitPart({ ...draft.value, [key]: value }, picture))}
            />
            <span className="unit">px</span>
          </span>
        ))}
      </div>
      <div className="row">
        <Button kind="main" disabled={!draft.isChanged || state.state === 'pending'} onClick={() => apply()}>
          Set the crop
        </Button>
        <Button disabled={!draft.isChanged} onClick={draft.drop}>
          Undo
        </Button>
        <Button disabled={!isCropped || state.state === 'pending'} onClick={reset}>
          Whole picture
        </Button>
      </div>
      <WriteNote
        state={state}
        theirs={isCropped ? describePart(crop.theirs) : 'the whole picture'}
        mine={describePart(draft.value)}
        onTakeTheirs={takeTheirs}
        onSetMine={() => apply(true)}
      />
    </div>
  )
}
