// TODO until this room is made: what stands here.
const PipelinesPage = () => <h1>Pipelines</h1>

export default PipelinesPage
