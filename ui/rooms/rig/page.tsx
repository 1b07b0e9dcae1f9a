// TODO until this room is made: what stands here.
const RigPage = () => <h1>Rig</h1>

export default RigPage
