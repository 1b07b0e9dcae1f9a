// TODO until this room is made: what stands here.
const SettingsPage = () => <h1>Settings</h1>

export default SettingsPage
