// The room of the field: where the robot is, by which map, how that is found out, and what should be corrected.
import { Link, Route, Switch, useLocation } from 'wouter'
import { FieldNow } from './now.tsx'

const PAGES = [{ path: '/field', name: 'Now' }] as const

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
    {PAGES.length > 1 && <Pages />}
    <Switch>
      <Route path="/field" component={FieldNow} />
    </Switch>
  </>
)

export default FieldPage
