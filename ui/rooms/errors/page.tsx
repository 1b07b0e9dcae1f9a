// TODO until this room is made: what stands here.
const ErrorsPage = () => <h1>Errors</h1>

export default ErrorsPage
