// TODO until this room is made: what stands here.
const StreamsPage = () => <h1>Streams</h1>

export default StreamsPage
