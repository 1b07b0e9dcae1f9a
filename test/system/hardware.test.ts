// Hardware of a device that the kernel of an emulated machine makes out of nothing: chips on an I2C bus, LEDs, lines of
// GPIO, an IMU. What the service tells of it and does with it, as a user without rights; what really happened is asked
// of the kernel. `npm run test:system`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { I2cInventory } from '../../machines/i2c/inventory.ts'
import type { FoundChip } from '../../machines/i2c/scan.ts'
import { type Answer, type Device, SKIP_DEVICE, startDevice } from '../support/guest/device.ts'
import { kernelModules } from '../support/guest/kernel-modules.ts'

const I2C = '/v1/device/i2c'
const LEDS = '/v1/peripherals/leds'
const LIGHTING = '/v1/device/lighting'

/** Where the modules are that Debian does not build. */
const MODULES = '/mnt/modules'

const MOUNT = `
  modprobe squashfs
  mkdir -p ${MODULES}
  mount -o ro /dev/vdb ${MODULES}
`

/** Gives a register of a made-up chip its value: bus, address, register, value, whether it has two bytes. */
const SET_REGISTER = `
set_register() {
  perl -e '
    my ($bus, $address, $register, $value, $size) = map { oct } @ARGV;
    open(my $file, "+<", "/dev/i2c-" . $bus) or die $!;
    ioctl($file, 0x0706, $address) // die $!;
    my $data = pack("vx32", $value);
    ioctl($file, 0x0720, pack("CCxxLP", 0, $register, $size, $data)) // die $!;
  ' "$@"
}
`

/** A clock chip with a driver, two chips that say what they are, an EEPROM, and one of which nothing is known. */
const BUS = `
modprobe i2c-dev
modprobe i2c-stub chip_addr=0x1b,0x40,0x48,0x50,0x68
bus=$(basename "$(dirname "$(grep -l 'SMBus stub driver' /sys/bus/i2c/devices/i2c-*/name)")")
bus=\${bus#i2c-}
set_register $bus 0x68 0x75 0x68 2
set_register $bus 0x40 0xfe 0x4954 3
set_register $bus 0x40 0xff 0x6022 3
modprobe lm75
echo lm75 0x48 >/sys/bus/i2c/devices/i2c-$bus/new_device
udevadm settle
echo $bus
`

const TRACING = '/sys/kernel/tracing'

/** What the kernel saw on I2C since it was last asked. */
const traffic = async ({ guest }: Device): Promise<readonly string[]> => {
  const text = await guest.output(`cat ${TRACING}/trace; echo >${TRACING}/trace`)
  return text.split('\n').flatMap((line) => /smbus_\w+: .*/.exec(line)?.[0] ?? [])
}

/**
 * An LED of a program, and a line of a GPIO chip. What they show stands in /run/led and /run/line, a line for each
 * change: the clock of the machine in seconds, and the value.
 */
const LAMPS = `
cat >/run/watch.pl <<'END'
  use strict;
  my ($path, $log, $is_led) = @ARGV;
  open(my $out, ">", $log) or die $!;
  sub tell_of {
    open(my $clock, "<", "/proc/uptime") or die $!;
    my ($now) = split " ", <$clock>;
    syswrite($out, "$now $_[0]\\n");
  }
  tell_of(0);
  if ($is_led) {
    open(my $led, "+<", $path) or die $!;
    syswrite($led, pack("a64l", "test:white:lamp", 255)) or die $!;
    while (sysread($led, my $bytes, 4)) { tell_of(unpack("l", $bytes)) }
  }
  for (my $before = "0"; ; select(undef, undef, undef, 0.01)) {
    open(my $line, "<", $path) or die $!;
    chomp(my $now = <$line>);
    tell_of($now) if $now ne $before;
    $before = $now;
  }
END
set -e
insmod ${MODULES}/uleds.ko
systemd-run --quiet --unit=led perl /run/watch.pl /dev/uleds /run/led 1
modprobe configfs
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
insmod ${MODULES}/gpiosim.ko
lines=/sys/kernel/config/gpio-sim/s
mkdir -p $lines/bank0/line3
echo 8 >$lines/bank0/num_lines
echo lamp >$lines/bank0/line3/name
echo lights >$lines/bank0/label
echo 1 >$lines/live
udevadm settle
systemd-run --quiet --unit=line perl /run/watch.pl /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio3/value /run/line
`

const LAMP_IDS = ['led:test:white:lamp', 'gpio:lights/3'] as const

const outputOf = ({ body }: Pick<Answer, 'body'>, id: string) =>
  body.outputs?.find((each: { id: string }) => each.id === id)

/** Of itself the device shows nothing: what lights is what was told. */
const CONFIG = {
  outputs: LAMP_IDS.map((id) => ({ id, pixels: 1, channels: null, order: 'W', active_low: false })),
  groups: LAMP_IDS.map((output, at) => ({
    name: ['led', 'line'][at],
    parts: [{ output, from: 0, count: 1, reversed: false }],
  })),
  max_duty: 1,
  max_celsius: null,
  idle: { command: 'off' },
  signals: { starting: null, link_lost: null, target_seen: null, update_runs: null },
}

/** Waits, by the clock of the machine, until the latest value of both is so. */
const untilBoth = (condition: string): string => `
  for turn in $(seq 600); do
    led=$(tail -n 1 /run/led | cut -d ' ' -f 2)
    line=$(tail -n 1 /run/line | cut -d ' ' -f 2)
    [ "$led" ${condition} 0 ] && [ "$line" ${condition} 0 ] && exit 0
    sleep 0.1
  done
  tail /run/led /run/line
  exit 1
`
const UNTIL_LIT = untilBoth('-gt')
const UNTIL_DARK = untilBoth('-eq')

const light = async ({ ask, guest }: Device): Promise<void> => {
  const { status, body } = await ask({ method: 'POST', path: LIGHTING, body: { command: 'on' } })
  assert.equal(status, 204, JSON.stringify(body))
  await guest.output(UNTIL_LIT)
}

/** What takes the lamps from their owner, and after how long they are off, seconds. Each order says when it was. */
const TAKEN: Readonly<Record<string, { readonly order: string; readonly within_s: number }>> = {
  'the service is killed': {
    order: `
      pid=$(systemctl show -p MainPID --value vedette)
      read now rest </proc/uptime
      kill -9 $pid
      echo $now
    `,
    within_s: 1,
  },
  'all of its processes are killed at once': {
    order: `
      read now rest </proc/uptime
      systemctl kill --signal=KILL vedette
      echo $now
    `,
    within_s: 1,
  },
  'the service stands still': {
    order: `
      pid=$(systemctl show -p MainPID --value vedette)
      read now rest </proc/uptime
      kill -STOP $pid
      echo $now
    `,
    within_s: 1.5, // pictures are told half a second ahead, and the last one is held for 0.7 s
  },
}

/** When both were off, after a time. */
const offAfter = async ({ guest }: Device, from: number): Promise<Readonly<Record<'led' | 'line', number>>> => {
  const first = (name: string) => `awk '$1 >= ${from} && $2 == 0 { print $1; exit }' /run/${name}`
  const said = await guest.output(`
    for turn in $(seq 300); do
      led=$(${first('led')})
      line=$(${first('line')})
      [ -n "$led" ] && [ -n "$line" ] && echo $led $line && exit 0
      sleep 0.1
    done
    tail /run/led /run/line
    exit 1
  `)
  const [led = 0, line = 0] = said.split(' ').map(Number)
  return { led: led - from, line: line - from }
}

/** An IMU that lies on a table and turns, and a clock by which it is read. */
const IMU = `
set -e
modprobe -a industrialio-triggered-buffer kfifo-buf configfs
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
for module in industrialio-configfs industrialio-sw-trigger iio-trig-hrtimer made_up_imu; do
  insmod ${MODULES}/$module.ko
done
mkdir /sys/kernel/config/iio/triggers/hrtimer/clock
cd /sys/bus/iio/devices
echo 100 >trigger0/sampling_frequency
echo clock >iio:device0/trigger/current_trigger
udevadm settle
`
const IMU_PATH = '/v1/device/imu'
const TURN_DPS = (0.5 * 180) / Math.PI

const jobEnd = ({ askUntil }: Device, id: string): Promise<Answer> =>
  askUntil({ path: `/v1/jobs/${id}` }, ({ status, body }) => status === 200 && body.ended_at_ms !== null)

test('made-up hardware of a real kernel is told, asked and lit', { skip: SKIP_DEVICE }, async (t) => {
  const device = await startDevice(t, [], kernelModules)
  const { guest, ask, askUntil, askPlainly } = device
  await guest.output(MOUNT)

  await t.test('a bus is told with the chips that the system knows, and nothing is asked over it', async () => {
    const bus = Number(await guest.output(SET_REGISTER + BUS))
    await guest.output(`echo 1 >${TRACING}/events/smbus/enable; echo >${TRACING}/trace`)

    const { body } = await askUntil({ path: `${I2C}?adapter=${bus}` })
    const peripherals = await ask({ path: `/v1/peripherals/i2c?adapter=${bus}` })

    const [found] = (body as I2cInventory).adapters
    assert.deepEqual([found?.name.startsWith('SMBus stub driver'), found?.scan], [true, 'allowed'])
    assert.equal(found?.device, `/dev/i2c-${bus}`)
    assert.deepEqual(found?.clients, [{ address: '0x48', name: 'lm75', driver: 'lm75' }])
    assert.deepEqual(peripherals.body, body)
    assert.deepEqual(await traffic(device), [])
  })

  await t.test('a scan names what says what it is, and sends nothing but what it promises', async () => {
    const bus = (await ask({ path: I2C })).body.adapters.find((each: { scan: string }) => each.scan === 'allowed')
    const order = { method: 'POST', path: `${I2C}/scan`, body: { adapter: bus.adapter } }
    const refused = await askPlainly(order)
    const { status, body } = await ask(order)
    assert.equal(status, 200, JSON.stringify(body))
    const { body: job } = await jobEnd(device, body.id)

    assert.equal(refused.status, 401, 'only an administrator starts one')
    assert.equal(job.state, 'done', JSON.stringify(job.fault))
    assert.deepEqual(
      job.result.chips.map(({ address, state, name, known_by }: FoundChip) => [address, state, name, known_by]),
      [
        ['0x1b', 'answers', null, 'nothing'],
        ['0x40', 'answers', 'INA226', 'register'],
        ['0x48', 'has_driver', 'lm75', 'driver'],
        ['0x50', 'answers', null, 'guess'],
        ['0x68', 'answers', 'MPU-6050 or MPU-9150', 'register'],
      ],
    )
    const sent = (await traffic(device)).filter((line) => /^smbus_(read|write):/.test(line))
    const writes = sent.filter((line) => line.startsWith('smbus_write:'))
    const addressOf = (line: string) => Number.parseInt(/ a=(\w+)/.exec(line)?.[1] ?? '', 16)
    const ofDriver = sent.filter((line) => addressOf(line) === 0x48)
    const registers = sent.filter((line) => !/ BYTE$/.test(line.trim()))
    assert.deepEqual([writes, ofDriver], [[], []])
    assert.equal(sent.length - registers.length, 111, sent.slice(0, 5).join('\n'))
    assert.ok(
      registers.every((line) => [0x1b, 0x40, 0x68].includes(addressOf(line))),
      registers.join('\n'),
    )
  })

  await t.test('the bus of the board itself is never scanned', async () => {
    await guest.output('modprobe i2c-i801; udevadm settle')
    const { body } = await ask({ path: I2C })
    const own = body.adapters.find(({ name }: { name: string }) => name.startsWith('SMBus I801'))
    assert.equal(own?.scan, 'refused', JSON.stringify(body))

    const refused = await ask({ method: 'POST', path: `${I2C}/scan`, body: { adapter: own.adapter, force: true } })

    assert.deepEqual([refused.status, refused.body.code], [409, 'i2c.refused'])
    assert.deepEqual(await traffic(device), [])
  })

  await t.test('an LED and a line are found, and nothing is set up by itself', async () => {
    await guest.output(LAMPS)

    const { body } = await askUntil({ path: LEDS }, (answer) => LAMP_IDS.every((id) => outputOf(answer, id)))

    const outputs = LAMP_IDS.map((id) => outputOf({ body }, id))
    assert.deepEqual(
      outputs.map((each) => [each?.kind, each?.levels, each?.is_used, each?.detail]),
      [
        ['led', 256, false, null],
        ['gpio_line', 2, false, null],
      ],
    )
    const notesOf = async (name: string) => (await guest.output(`cut -d ' ' -f 2 /run/${name}`)).trim().split('\n')
    // the first is the beginning of the notes, and the second of the LED what the kernel tells of it when it is made
    assert.deepEqual(await notesOf('led'), ['0', '0'], 'nobody has written to it')
    assert.deepEqual(await notesOf('line'), ['0'])
  })

  await t.test('both light when they are told to, as the kernel sees it', async () => {
    const set = await ask({ method: 'POST', path: `${LIGHTING}/config`, body: CONFIG })
    assert.equal(set.status, 204, JSON.stringify(set.body))

    await light(device)
    assert.equal((await ask({ method: 'POST', path: LIGHTING, body: { command: 'off' } })).status, 204)
    await guest.output(UNTIL_DARK)
  })

  for (const [what, { order, within_s }] of Object.entries(TAKEN))
    await t.test(`both are off within ${within_s} s when ${what}`, async () => {
      await light(device)

      const off = await offAfter(device, Number(await guest.output(order)))

      const told = Object.entries(off).map(([name, after_s]) => `the ${name} after ${after_s.toFixed(2)} s`)
      t.diagnostic(`${what}: off is ${told.join(', ')}, by the clock of the machine`)
      for (const after_s of Object.values(off)) assert.ok(after_s <= within_s, told.join(', '))
      await askUntil({ path: '/v1/health' })
      await guest.output(UNTIL_DARK)
    })

  await t.test('an IMU is read from the buffer of the kernel, by its own clock', async () => {
    await guest.output(IMU)

    const { body: first } = await askUntil({ path: IMU_PATH }, ({ status, body }) => status === 200 && body.reading)
    const enough = first.reading.at_us + 2e6
    const { body: last } = await askUntil({ path: IMU_PATH }, ({ body }) => body.reading?.at_us > enough)
    const now = Number((await guest.output('cat /proc/uptime')).split(' ')[0])

    assert.deepEqual([last.state, last.way, last.imu.name], ['running', 'buffer', 'made-up-imu'], JSON.stringify(last))
    const [one, other] = [first.reading, last.reading]
    const dps = (other.yaw_deg - one.yaw_deg) / ((other.at_us - one.at_us) / 1e6)
    assert.ok(Math.abs(dps - TURN_DPS) < 0.01 * TURN_DPS, `${dps} degrees in a second`)
    assert.ok(Math.abs(other.roll_deg) < 1 && Math.abs(other.pitch_deg) < 1, JSON.stringify(other))
    assert.ok(Math.abs(other.accel_g[2] - 1) < 0.01, JSON.stringify(other.accel_g))
    assert.ok(other.at_us / 1e6 <= now && other.at_us / 1e6 > now - 60, `${other.at_us} us at ${now} s`)
  })
})
