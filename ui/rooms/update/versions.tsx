// The versions that lie on the device, and why a new one was given up.
import { browserTimeOf } from '../../api/device-clock.ts'
import { Alert, Card } from '../../parts/parts.tsx'
import type { UpdateState } from '../../state/update.ts'

const dayOf = (ms: number): string => new Date(ms).toLocaleDateString()

const timeOfDay = (ms: number): string => new Date(browserTimeOf(ms)).toLocaleString()

const Row = ({ name, version }: { readonly name: string; readonly version: UpdateState['other'] }) => (
  <div className="update-version">
    <dt>{name}</dt>
    <dd>
      {version ? (
        <>
          <strong>{version.version}</strong>
          {version.built_at_ms !== null && <span className="hint"> of {dayOf(version.built_at_ms)}</span>}
        </>
      ) : (
        <span className="hint">none</span>
      )}
    </dd>
  </div>
)

/** What runs, what lies beside it, what is offered. */
export const Versions = ({ known: { running, other, offered } }: { readonly known: UpdateState }) => (
  <Card title="Versions">
    <dl className="card-body update-versions">
      <Row name="Runs" version={running} />
      <Row name="Other slot" version={other} />
      <Row name="Offered" version={offered} />
    </dl>
  </Card>
)

/** Both reasons: why the update itself failed, and why the last new version was given up. */
export const Reasons = ({ known: { failure, failed_version, interrupted } }: { readonly known: UpdateState }) => {
  if (!failure && !failed_version && interrupted === null) return null
  return (
    <Card title="What went wrong">
      <div className="card-body stack">
        {interrupted !== null && <Alert tone="busy">{interrupted}</Alert>}
        {failure && (
          <section aria-label="Why the update failed" className="stack">
            <h3>The update failed</h3>
            <p className="update-sentence">{failure.detail}</p>
            <p className="hint">
              {timeOfDay(failure.at_ms)}, while {failure.state}: <code>{failure.code}</code>
            </p>
          </section>
        )}
        {failed_version && (
          <section aria-label="Why the new version was given up" className="stack">
            <h3>Version {failed_version.version} was given up</h3>
            <p className="update-sentence">{failed_version.reason}</p>
            {failed_version.exits.length > 0 && <p className="hint">Its runs: {failed_version.exits.join('; ')}.</p>}
            {failed_version.left_behind.length > 0 && (
              <p>
                Written while it ran, and not in the settings now: {failed_version.left_behind.join(', ')}. Set that
                again where you want it.
              </p>
            )}
            <p className="hint">{timeOfDay(failed_version.at_ms)}</p>
          </section>
        )}
      </div>
    </Card>
  )
}
