// What is to be thought of a calibration: its verdict in a word, and the reasons with what to do about them.
import { Alert, Pill } from '../../parts/parts.tsx'
import type { Calibration } from '../../state/calibrations.ts'
import type { Tone } from '../../words.ts'
import { MEANINGS, VERDICTS } from './words.ts'

type Reason = Calibration['reasons'][number]

/** In a word. */
export const VerdictPill = ({ verdict }: Pick<Calibration, 'verdict'>) => {
  const { word, tone } = VERDICTS[verdict]
  return <Pill tone={tone}>{word}</Pill>
}

const TONES: Readonly<Record<Reason['allows'], Tone>> = {
  good: 'quiet',
  usable: 'busy',
  poor: 'bad',
  refused: 'bad',
}

/** What a reason leaves of the verdict. */
const LEFT: Readonly<Record<Reason['allows'], string>> = {
  good: 'good to know',
  usable: 'usable at best',
  poor: 'poor because of it',
  refused: 'refused because of it',
}

/** Sentences of the service begin with a small letter. */
export const sentence = (detail: string): string => {
  const begun = detail.charAt(0).toUpperCase() + detail.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

/** The gravest first. name: what those hear who do not see them. */
export const Reasons = ({ reasons, name }: { readonly reasons: readonly Reason[]; readonly name: string }) => (
  <ul className="calibration-reasons" aria-label={name}>
    {reasons.map(({ code, allows, detail }) => (
      <li key={code} className="calibration-reason" data-tone={TONES[allows]}>
        <span>{sentence(detail)}</span> <span className="hint">{LEFT[allows]}</span>
      </li>
    ))}
  </ul>
)

interface VerdictProps {
  readonly calibration: Pick<Calibration, 'verdict' | 'reasons'>
  /** What speaks against it by now. */
  readonly since?: readonly Reason[]
}

/** In full: it comes first wherever a calibration is shown. */
export const Verdict = ({ calibration: { verdict, reasons }, since = [] }: VerdictProps) => {
  const { word, tone } = VERDICTS[verdict]
  return (
    <section className="card calibration-verdict" data-tone={tone} aria-label="Verdict">
      <p className="calibration-verdict-word">
        <span className="mark-of-tone" aria-hidden />
        <strong>{word}</strong> <span>{MEANINGS[verdict]}</span>
      </p>
      {since.length > 0 && (
        <Alert tone="busy">
          <strong>By now something is different.</strong>
          <Reasons reasons={since} name="What speaks against it by now" />
        </Alert>
      )}
      {reasons.length > 0 && <Reasons reasons={reasons} name="Reasons" />}
    </section>
  )
}
