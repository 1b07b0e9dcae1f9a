// What is stored on the device: `/media` lists it, `/media/NAME` shows one item.
import { Route, Switch } from 'wouter'
import { MediaItemPage } from './item.tsx'
import { MediaList } from './list.tsx'

const MediaPage = () => (
  <Switch>
    <Route path="/media/:name">{({ name }) => <MediaItemPage key={name} name={name} />}</Route>
    <Route component={MediaList} />
  </Switch>
)

export default MediaPage
