// The room of the field: where the robot is, by which map, how that is found out, and what should be corrected.
import { Link, Route, Switch, useLocation } from 'wouter'
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

/** The ways to the pages of the room. */
const Pages = () => {
  const [address] = useLocation()
  return (
    <nav className="field-pages" aria-label="Field">
      {PAGES.map(({ path, name }) => (
        <Link key={path} href={path} aria-current={address === path ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}

const FieldPage = () => (
  <>
    <Pages />
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
