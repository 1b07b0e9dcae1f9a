// What is chosen of the config of localization: which map, which cameras, what the heading is taken for.
import { Link } from 'wouter'
import type { Documents } from '../../api/client.ts'
import { Field, Pill } from '../../parts/parts.tsx'
import { useKnown } from '../../state/live.ts'
import { maps } from '../../state/maps.ts'
import { useOwnStreams } from '../../state/streams.ts'
import { type ConfigPartProps, HEADING_FIELD } from './config-fields.ts'
import { type Bounds, ConfigNumber } from './config-numbers.tsx'
import { streamReasonOf } from './reasons.ts'

/** Whether it is done, and by which map. */
export const MainFields = ({ config, onChange }: ConfigPartProps) => {
  const { value: list } = useKnown(maps)
  const isKnown = config.map_id === null || list?.items.some(({ id }) => id === config.map_id)
  return (
    <div className="card-body stack">
      <label className="row">
        <input
          type="checkbox"
          checked={config.enabled}
          onChange={({ target }) => onChange({ ...config, enabled: target.checked })}
        />
        Solve all cameras together
      </label>
      <Field name="Map" hint="Where the tags hang. With the right one of a season, all poses are right.">
        {(id, describedBy) => (
          <select
            id={id}
            className="input"
            aria-describedby={describedBy}
            value={config.map_id ?? ''}
            onChange={({ target }) => onChange({ ...config, map_id: target.value === '' ? null : target.value })}
          >
            <option value="">The one that the streams use</option>
            {list?.items.map((item) => (
              <option key={item.id} value={item.id}>
                {item.name}
              </option>
            ))}
            {list && !isKnown && <option value={config.map_id ?? ''}>{config.map_id} (not here)</option>}
          </select>
        )}
      </Field>
    </div>
  )
}

interface CamerasFieldsProps extends ConfigPartProps {
  /** Of all streams, whether each is used and why not. */
  readonly uses: Documents['LocalizationStatus']['streams']
}

/** Whose cameras are used. */
export const CamerasFields = ({ config, uses, onChange }: CamerasFieldsProps) => {
  const own = useOwnStreams()
  if (!own) return null
  const { streams } = config
  const ids = own.map(({ id }) => id)
  const gone = streams === 'all' ? [] : streams.filter((id) => !ids.includes(id))
  const choose = (id: string, isChosen: boolean) => {
    const before = streams === 'all' ? ids : streams
    onChange({ ...config, streams: isChosen ? [...before, id] : before.filter((each) => each !== id) })
  }
  return (
    <fieldset className="field-config-part">
      <legend>Cameras</legend>
      <label className="row">
        <input
          type="checkbox"
          checked={streams === 'all'}
          onChange={({ target }) => onChange({ ...config, streams: target.checked ? 'all' : ids })}
        />
        All, also those that come later
      </label>
      {own.length === 0 && <p className="hint">There is no stream yet. Plug in a camera: it shows in Overview.</p>}
      <ul className="field-config-list">
        {[...own.map(({ id, spec }) => ({ id, name: spec.alias })), ...gone.map((id) => ({ id, name: id }))].map(
          ({ id, name }) => (
            <li key={id}>
              <label className="row">
                <input
                  type="checkbox"
                  checked={streams === 'all' || streams.includes(id)}
                  disabled={streams === 'all'}
                  onChange={({ target }) => choose(id, target.checked)}
                />
                {name}
              </label>
              {gone.includes(id) ? (
                <Pill tone="quiet">not here</Pill>
              ) : (
                <Use use={uses.find(({ stream_id }) => stream_id === id)} />
              )}
            </li>
          ),
        )}
      </ul>
    </fieldset>
  )
}

/** Whether it is used as it is set now. */
const Use = ({ use }: { readonly use: CamerasFieldsProps['uses'][number] | undefined }) => {
  if (!use) return null
  if (use.used) return <Pill tone="good">used</Pill>
  const why = streamReasonOf(use.reason ?? '')
  const mend = why.mend?.(use.stream_id)
  return (
    <>
      <Pill tone={why.tone}>{why.word}</Pill>
      <span className="hint">
        {why.sentence} {mend && use.reason !== 'not_chosen' && <Link href={mend.href}>{mend.words}</Link>}
      </span>
    </>
  )
}

/** What the robot tells. */
export const HeadingFields = ({ config, bounds, onChange }: ConfigPartProps & { readonly bounds: Bounds }) => {
  const { heading, odometry } = config
  return (
    <div className="card-body stack">
      <label className="row">
        <input
          type="checkbox"
          checked={heading.use}
          onChange={({ target }) => onChange({ ...config, heading: { ...heading, use: target.checked } })}
        />
        Use the heading that the robot says
      </label>
      <label className="row">
        <input
          type="checkbox"
          checked={heading.learn_offset}
          onChange={({ target }) => onChange({ ...config, heading: { ...heading, learn_offset: target.checked } })}
        />
        Learn from the tags how it lies on the field
      </label>
      <label className="row">
        <input
          type="checkbox"
          checked={heading.use_imu}
          onChange={({ target }) => onChange({ ...config, heading: { ...heading, use_imu: target.checked } })}
        />
        While the robot says none, use that of this device's IMU
      </label>
      <ConfigNumber field={HEADING_FIELD} config={config} bounds={bounds} onChange={onChange} />
      <Field name="Motion between pictures" hint="Wheels are better; tags alone do for a robot that drives.">
        {(id, describedBy) => (
          <select
            id={id}
            className="input"
            aria-describedby={describedBy}
            value={odometry.source}
            onChange={({ target }) =>
              onChange({ ...config, odometry: { source: target.value === 'nt4' ? 'nt4' : 'none' } })
            }
          >
            <option value="nt4">By the robot's wheels, while it tells them</option>
            <option value="none">By the tags alone</option>
          </select>
        )}
      </Field>
    </div>
  )
}
