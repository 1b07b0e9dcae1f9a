// TODO until this room is made: what stands here.
const MediaPage = () => <h1>Media</h1>

export default MediaPage
