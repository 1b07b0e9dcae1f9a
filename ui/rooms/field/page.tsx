// The room of the field: where the robot is, by which map, how that is found out, and what should be corrected.
import { Route, Switch } from 'wouter'
import { RoomPages } from '../../parts/room-pages.tsx'
import { CorrectionsPage } from './corrections-page.tsx'
import { LocalizationPage } from './localization-page.tsx'
import { MapsPage } from './maps-page.tsx'
import { FieldNow } from './now.tsx'
import { SourcesPage } from './sources-page.tsx'

const PAGES = [
  { path: '/field', name: 'Now' },
  { path: '/field/maps', name: 'Maps' },
  { path: '/field/settings', name: 'Localization' },
  { path: '/field/sources', name: 'Sources' },
  { path: '/field/corrections', name: 'Corrections' },
] as const

const FieldPage = () => (
  <>
    <RoomPages room="Field" pages={PAGES} />
    <Switch>
      <Route path="/field" component={FieldNow} />
      <Route path="/field/maps" component={MapsPage} />
      <Route path="/field/settings" component={LocalizationPage} />
      <Route path="/field/sources" component={SourcesPage} />
      <Route path="/field/corrections" component={CorrectionsPage} />
    </Switch>
  </>
)

export default FieldPage
