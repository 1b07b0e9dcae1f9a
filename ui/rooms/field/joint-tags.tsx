// Each tag that a camera sees: whether the pose is made with it, and if not, why.
import { Link } from 'wouter'
import { Card, Pill } from '../../parts/parts.tsx'
import type { Solve, SolveTag } from '../../state/localization-wire.ts'
import { figureOf } from '../../words.ts'
import { rejectedInWords } from './joint-words.ts'
import { tagReasonOf } from './reasons.ts'

/** What it takes. */
export interface JointTagsProps {
  readonly solve: Solve
  readonly nameOf: (streamId: string) => string
}

const keyed = (tags: readonly SolveTag[]) => {
  const times = new Map<string, number>()
  return tags
    .toSorted((one, other) => one.id - other.id || one.stream_id.localeCompare(other.stream_id))
    .map((tag) => {
      const key = `${tag.stream_id} ${tag.family} ${tag.id}`
      times.set(key, (times.get(key) ?? 0) + 1)
      return { tag, key: `${key} ${times.get(key)}` }
    })
}

/** All of them, those that are not used with the reason in words. */
export const JointTags = ({ solve, nameOf }: JointTagsProps) => {
  const rejected = rejectedInWords(solve.rejected, (reason) => tagReasonOf(reason).word)
  return (
    <Card title="Tags">
      {solve.tags.length === 0 ? (
        <p className="card-body hint">No camera that is used sees a tag now.</p>
      ) : (
        <div className="scroll-x">
          <table className="field-tags">
            <thead>
              <tr>
                <th scope="col">Tag</th>
                <th scope="col">Camera</th>
                <th scope="col">Used</th>
                <th scope="col">Off by</th>
                <th scope="col">Share</th>
              </tr>
            </thead>
            <tbody>
              {keyed(solve.tags).map(({ tag, key }) => (
                <Row key={key} tag={tag} camera={nameOf(tag.stream_id)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rejected && <p className="card-body hint">Not used within the last second: {rejected}.</p>}
    </Card>
  )
}

const Row = ({ tag: { id, family, used, reason, residual_px, weight }, camera }: { tag: SolveTag; camera: string }) => {
  const why = reason === null ? undefined : tagReasonOf(reason)
  return (
    <tr>
      <td title={family}>{id}</td>
      <td>{camera}</td>
      <td>
        <Pill tone={used ? 'good' : (why?.tone ?? 'quiet')}>{used ? 'used' : (why?.word ?? 'not used')}</Pill>
        {why && (
          <p className="hint">
            {why.sentence} {reason === 'inconsistent' && <Link href={`/field/settings?ignore=${id}`}>Ignore it</Link>}
          </p>
        )}
      </td>
      <td>{residual_px === null ? '–' : `${figureOf(residual_px, 1)} px`}</td>
      <td>{used ? `${figureOf(weight * 100)} %` : '–'}</td>
    </tr>
  )
}
