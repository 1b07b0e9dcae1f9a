// TODO until this room is made: what stands here.
const DevicePage = () => <h1>Device</h1>

export default DevicePage
