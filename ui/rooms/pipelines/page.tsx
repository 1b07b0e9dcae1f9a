// What streams compute: the list of pipelines, and the editor of one.
import { Route, Switch } from 'wouter'
import { StoredEditor, StreamEditor } from './opened.tsx'
import { RemoteEditor } from './opened-remote.tsx'
import { PipelineList } from './pipeline-list.tsx'

const PipelinesPage = () => (
  <Switch>
    <Route path="/pipelines" component={PipelineList} />
    <Route path="/pipelines/of/:streamId">
      {({ streamId }) =>
        streamId.includes(':') ? (
          <RemoteEditor key={streamId} listedId={streamId} />
        ) : (
          <StreamEditor key={streamId} streamId={streamId} />
        )
      }
    </Route>
    <Route path="/pipelines/:id">{({ id }) => <StoredEditor key={id} id={id} />}</Route>
  </Switch>
)

export default PipelinesPage
