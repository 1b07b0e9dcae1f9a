// Other devices: those that were found, that are known, that are trusted; and one of them.
import { Route, Switch, useParams } from 'wouter'
import { ListPage } from './list.tsx'
import { PeerPage } from './peer-page.tsx'

const OnePeer = () => {
  const { id = '' } = useParams<{ readonly id: string }>()
  return <PeerPage key={id} id={id} />
}

const PeersPage = () => (
  <Switch>
    <Route path="/peers" component={ListPage} />
    <Route path="/peers/:id" component={OnePeer} />
  </Switch>
)

export default PeersPage
