// How this browser shows the device, who it is for it, and a backup of what people have set.
import { Card } from '../../parts/parts.tsx'
import { LOOKS, type Look, setPreferences, usePreference } from '../../state/preferences.ts'
import { AddressCard } from './address-card.tsx'
import { BackupCard } from './backup-card.tsx'
import { SessionCard } from './session-card.tsx'

const LOOK_NAMES: Readonly<Record<Look, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }

const LookCard = () => {
  const look = usePreference('look')
  const isBandwidthSmall = usePreference('isBandwidthSmall')
  return (
    <Card title="This browser">
      <div className="card-body stack">
        <fieldset className="row">
          <legend>Look</legend>
          {LOOKS.map((each) => (
            <label key={each} className="row">
              <input type="radio" name="look" checked={look === each} onChange={() => setPreferences({ look: each })} />
              {LOOK_NAMES[each]}
            </label>
          ))}
        </fieldset>
        <div>
          <label className="row">
            <input
              type="checkbox"
              checked={isBandwidthSmall}
              onChange={({ target }) => setPreferences({ isBandwidthSmall: target.checked })}
            />
            Small bandwidth
          </label>
          <p className="hint">
            For a slow network, as over the radio: live pictures at most 320 wide and 5 a second, and no small pictures
            of media.
          </p>
        </div>
      </div>
    </Card>
  )
}

const LinksCard = () => (
  <Card title="For programs">
    <ul className="card-body stack">
      <li>
        <a href="/docs">API explorer</a> <span className="hint">every request, to be tried here</span>
      </li>
      <li>
        <a href="/openapi.json">OpenAPI document</a> <span className="hint">to make clients from</span>
      </li>
      <li>
        <a href="/v1/asyncapi.json">AsyncAPI document</a> <span className="hint">events and live pictures</span>
      </li>
    </ul>
  </Card>
)

const SettingsPage = () => (
  <>
    <h1>Settings</h1>
    <div className="settings-page">
      <div className="stack">
        <LookCard />
        <SessionCard />
        <LinksCard />
      </div>
      <div className="stack">
        <AddressCard />
        <BackupCard />
      </div>
    </div>
  </>
)

export default SettingsPage
