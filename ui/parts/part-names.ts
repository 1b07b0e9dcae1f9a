// The parts of the service as a team knows them.

/** Of those that there are once. */
const NAMES: Readonly<Record<string, string>> = {
  settings: 'What is stored',
  errors: 'History of errors',
  cameras: 'Cameras that are plugged in',
  usb: 'USB',
  streams: 'Streams',
  recordings: 'Recordings',
  media: 'Media',
  bandwidth: 'Share of the network for each picture',
  guard: 'Resource guard',
  lighting: 'Lights',
  nt4: 'NetworkTables',
  'nt4-link': 'Link to the robot',
  'nt4-server': 'NetworkTables server for tests',
  extcam: 'What the robot reads',
  'extcam-ports': 'Ports for dashboards',
  'own-table': 'What the robot reads, own table',
  localization: 'The pose of all cameras together',
  captures: 'Captures of pictures of a board',
  consoles: 'Console sessions',
  jobs: 'Jobs',
  'job-keeper': 'Stored jobs',
  hostname: 'Name of the device',
  imu: 'IMU',
  system: 'How the device does',
  network: 'Network of the device',
  identity: 'Certificate of the device',
  http: 'This page and the API',
  https: 'This page and the API, over HTTPS',
  peers: 'Links to peers',
  pairing: 'Pairing',
  'remote-streams': 'Streams of peers that are worked on here',
  'dns-sd': 'Finding each other on the network',
  update: 'Updates of the service',
  'peer-scan': 'Asking around for peers',
  'plugin-keeper': 'Installed plugins',
  'plugin-programs': 'Programs of plugins',
}

/** Of those that there are for each thing of a kind: `streams/front`. */
const OF_EACH: Readonly<Record<string, string>> = {
  streams: 'Stream',
  recordings: 'Recording of',
  extcam: 'What the robot reads of',
  'own-table': 'Own table of',
  captures: 'Capture',
  consoles: 'Console session',
  jobs: 'Job',
  'plugin-programs': 'Program of',
  peers: 'Link to',
  'peer-links': 'Link to',
  'remote-streams': 'Worked on here:',
  'extcam-ports': 'Port',
}

/** What a part is called on the page; one that is not known keeps the name that the service gives it. */
export const partName = (name: string): string => {
  const [area = '', ...rest] = name.split('/')
  const each = OF_EACH[area]
  return (rest.length > 0 ? each && `${each} ${rest.join('/')}` : NAMES[name]) ?? name
}
