// TODO until this room is made: what stands here.
const Nt4Page = () => <h1>NT4</h1>

export default Nt4Page
