// TODO until this room is made: what stands here.
const PeersPage = () => <h1>Peers</h1>

export default PeersPage
