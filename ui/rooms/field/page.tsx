// TODO until this room is made: what stands here.
const FieldPage = () => <h1>Field</h1>

export default FieldPage
