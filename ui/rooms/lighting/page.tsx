// The room of the lights: what they show and who has them, animations, and how they are set up.
import { Route, Switch } from 'wouter'
import { type RoomPage, RoomPages } from '../../parts/room-pages.tsx'
import { AnimationList } from './animation-list.tsx'
import { EditAnimation, NewAnimation } from './animation-page.tsx'
import { LightsNow } from './lights-now.tsx'
import { SetupPage } from './setup-page.tsx'

const PAGES: readonly RoomPage[] = [
  { path: '/lighting', name: 'Now' },
  { path: '/lighting/animations', name: 'Animations' },
  { path: '/lighting/setup', name: 'Setup' },
]

const LightingPage = () => (
  <>
    <RoomPages room="Lights" pages={PAGES} />
    <Switch>
      <Route path="/lighting" component={LightsNow} />
      <Route path="/lighting/animations" component={AnimationList} />
      <Route path="/lighting/animations/new" component={NewAnimation} />
      <Route path="/lighting/animations/edit/:name">{({ name }) => <EditAnimation key={name} name={name} />}</Route>
      <Route path="/lighting/setup" component={SetupPage} />
    </Switch>
  </>
)

export default LightingPage
