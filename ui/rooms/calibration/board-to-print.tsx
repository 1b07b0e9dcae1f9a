// The board: printed, glued, measured.
import { FileDown } from 'lucide-react'
import { Card, Field } from '../../parts/parts.tsx'
import { NumberInput } from '../../parts/slider.tsx'
import { PAPERS, useSquares } from './squares.ts'

const boardUrl = (streamId: string, form: 'board' | 'board.pdf', paper: string): string =>
  `/v1/streams/${encodeURIComponent(streamId)}/calibration/${form}?paper=${paper}`

const STEP_MM = 0.01

/** What to print for a stream, and how large its squares became. */
export const BoardToPrint = ({ streamId }: { readonly streamId: string }) => {
  const { paper, squares, isMeasured, choosePaper, setWidth, setHeight } = useSquares()
  return (
    <Card title="1. The board">
      <div className="card-body stack">
        <div className="row calibration-paper">
          <Field name="Paper">
            {(id) => (
              <select id={id} className="input" value={paper.id} onChange={({ target }) => choosePaper(target.value)}>
                {PAPERS.map(({ id: each, name }) => (
                  <option key={each} value={each}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <a className="button" href={boardUrl(streamId, 'board.pdf', paper.id)} target="_blank" rel="noreferrer">
            <FileDown size={18} aria-hidden /> Board as PDF
          </a>
          <a
            className="button"
            data-kind="plain"
            href={boardUrl(streamId, 'board', paper.id)}
            target="_blank"
            rel="noreferrer"
          >
            as a picture
          </a>
        </div>
        <ul className="calibration-steps">
          <li>Print it at 100 %, not fitted to the page. Both lines on it must be 100.0 mm long.</li>
          <li>Glue it to glass, acrylic or metal: a board that is bent by half a millimetre spoils the corners.</li>
          <li>A bought charuco board does as well: it is recognised. Give the size of its squares.</li>
        </ul>
        <fieldset className="calibration-square">
          <legend>A square, measured over ten of them</legend>
          <span className="row">
            <span aria-hidden>wide</span>
            <NumberInput
              label="Width of a square"
              value={squares.square_width_mm}
              min={STEP_MM}
              step={STEP_MM}
              onChange={setWidth}
            />
            <span className="unit">mm</span>
          </span>
          <span className="row">
            <span aria-hidden>high</span>
            <NumberInput
              label="Height of a square"
              value={squares.square_height_mm}
              min={STEP_MM}
              step={STEP_MM}
              onChange={setHeight}
            />
            <span className="unit">mm</span>
          </span>
        </fieldset>
        <p className="hint">
          {isMeasured
            ? 'As you have measured it.'
            : `As it is on ${paper.name} when it is printed true. Printers stretch: measure it in both directions.`}
        </p>
      </div>
    </Card>
  )
}
