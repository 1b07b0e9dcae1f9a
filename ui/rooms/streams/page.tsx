// The streams: all of them, one, two side by side.
import { Route, Switch, useParams } from 'wouter'
import { ComparePage } from './compare.tsx'
import { ListPage } from './list.tsx'
import { StreamPage } from './stream-page.tsx'

const OneStream = () => {
  const { id = '' } = useParams<{ readonly id: string }>()
  const listed = id.replace(/%3a/i, ':') // between a device and its stream; the router leaves it as it came
  return <StreamPage key={listed} id={listed} />
}

const StreamsPage = () => (
  <Switch>
    <Route path="/streams" component={ListPage} />
    <Route path="/streams/compare" component={ComparePage} />
    <Route path="/streams/:id" component={OneStream} />
  </Switch>
)

export default StreamsPage
