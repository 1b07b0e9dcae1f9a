// Tags or cameras of a survey, each with how far it is off, to be chosen.
import { Button, Pill } from '../../parts/parts.tsx'
import { counted } from '../../words.ts'
import { amountOf, directionOf, type Proposed } from './correction-words.ts'

/** A tag or a camera of a survey. */
export interface Correctable {
  readonly key: string
  readonly name: string
  readonly found: Proposed
  /** What else is to be said of it. */
  readonly note?: string | undefined
}

/** What it takes. */
export interface CorrectionListProps {
  readonly legend: string
  /** What is said of one that somebody should look at. */
  readonly wrong: string
  readonly items: readonly Correctable[]
  /** By their keys. */
  readonly chosen: readonly string[]
  readonly onChoose: (keys: readonly string[]) => void
  readonly mayWrite: boolean
}

/** What is wrong stands first; all others are behind a click. */
export const CorrectionList = ({ legend, items, chosen, onChoose, ...each }: CorrectionListProps) => {
  const wrong = items.filter(({ found }) => found.is_wrong)
  const others = items.filter(({ found }) => !found.is_wrong)
  const keysOf = (some: readonly Correctable[]) => some.map(({ key }) => key)
  const rowOf = (item: Correctable) => (
    <Row
      key={item.key}
      item={item}
      isChosen={chosen.includes(item.key)}
      onChoose={(isChosen) => onChoose(isChosen ? [...chosen, item.key] : chosen.filter((key) => key !== item.key))}
      {...each}
    />
  )
  return (
    <fieldset className="field-corrections">
      <legend>{legend}</legend>
      <div className="row">
        <span className="hint grow">
          {items.length === 0 ? 'None was seen.' : `${chosen.length} of ${items.length} chosen`}
        </span>
        {each.mayWrite && items.length > 0 && (
          <>
            <Button onClick={() => onChoose(keysOf(wrong))}>Wrong ones</Button>
            <Button onClick={() => onChoose(keysOf(items))}>All</Button>
            <Button onClick={() => onChoose([])}>None</Button>
          </>
        )}
      </div>
      <ul>{wrong.map(rowOf)}</ul>
      {others.length > 0 && (
        <details>
          <summary>
            {others.length === 1 ? '1 other is as it should be' : `${others.length} others are as they should be`}
          </summary>
          <ul>{others.map(rowOf)}</ul>
        </details>
      )}
    </fieldset>
  )
}

interface RowProps extends Pick<CorrectionListProps, 'wrong' | 'mayWrite'> {
  readonly item: Correctable
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}

const Row = ({ item: { name, found, note }, isChosen, onChoose, wrong, mayWrite }: RowProps) => (
  <li className="field-corrected">
    <label className="row">
      <input
        type="checkbox"
        checked={isChosen}
        disabled={!mayWrite}
        onChange={({ target }) => onChoose(target.checked)}
      />
      <strong>{name}</strong>
    </label>
    <Pill tone={found.is_wrong ? 'bad' : 'good'}>{found.is_wrong ? wrong : 'as it should be'}</Pill>
    <p className="field-corrected-words">
      {amountOf(found)}
      <span className="hint field-map-size">
        {[directionOf(found), `seen from ${counted(found.rounds, 'place')}`].filter(Boolean).join('; ')}. {note}
      </span>
    </p>
  </li>
)
