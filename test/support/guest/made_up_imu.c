// SPDX-License-Identifier: MIT
// An IMU for tests that is no chip: it lies on a table and turns to the left with half a radian in a second. Debian's
// iio_dummy has one axis of force and no turns.
#include <linux/iio/buffer.h>
#include <linux/iio/iio.h>
#include <linux/iio/trigger_consumer.h>
#include <linux/iio/triggered_buffer.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#define AXES 6

/* Thousandths of rad/s and of m/s2. */
static const s16 measured[AXES] = {0, 0, 500, 0, 0, 9807};

#define AXIS(what, at, place)                               \
  {                                                         \
      .type = what,                                         \
      .modified = 1,                                        \
      .channel2 = at,                                       \
      .info_mask_separate = BIT(IIO_CHAN_INFO_RAW),         \
      .info_mask_shared_by_type = BIT(IIO_CHAN_INFO_SCALE), \
      .scan_index = place,                                  \
      .scan_type = {.sign = 's', .realbits = 16, .storagebits = 16, .endianness = IIO_LE}}

static const struct iio_chan_spec channels[] = {
    AXIS(IIO_ANGL_VEL, IIO_MOD_X, 0), AXIS(IIO_ANGL_VEL, IIO_MOD_Y, 1), AXIS(IIO_ANGL_VEL, IIO_MOD_Z, 2),
    AXIS(IIO_ACCEL, IIO_MOD_X, 3),    AXIS(IIO_ACCEL, IIO_MOD_Y, 4),    AXIS(IIO_ACCEL, IIO_MOD_Z, 5),
    IIO_CHAN_SOFT_TIMESTAMP(AXES),
};
static const unsigned long all_axes[] = {BIT(AXES) - 1, 0};

static int read_raw(struct iio_dev *device, const struct iio_chan_spec *channel, int *value, int *micro, long what) {
  *value = what == IIO_CHAN_INFO_RAW ? measured[channel->scan_index] : 0;
  *micro = 1000;
  return what == IIO_CHAN_INFO_RAW ? IIO_VAL_INT : IIO_VAL_INT_PLUS_MICRO;
}

static const struct iio_info info = {.read_raw = read_raw};

static irqreturn_t hand_over(int irq, void *given) {
  struct iio_poll_func *poll = given;
  struct {
    s16 axes[AXES];
    s64 time __aligned(8);
  } sample = {};

  memcpy(sample.axes, measured, sizeof(measured));
  iio_push_to_buffers_with_timestamp(poll->indio_dev, &sample, poll->timestamp);
  iio_trigger_notify_done(poll->indio_dev->trig);
  return IRQ_HANDLED;
}

static int found(struct platform_device *parent) {
  struct iio_dev *device = devm_iio_device_alloc(&parent->dev, 0);
  int error;

  if (!device) return -ENOMEM;
  device->name = "made-up-imu";
  device->info = &info;
  device->channels = channels;
  device->num_channels = ARRAY_SIZE(channels);
  device->available_scan_masks = all_axes;
  device->modes = INDIO_DIRECT_MODE;
  error = devm_iio_triggered_buffer_setup(&parent->dev, device, iio_pollfunc_store_time, hand_over, NULL);
  return error ? error : devm_iio_device_register(&parent->dev, device);
}

static struct platform_driver driver = {.probe = found, .driver = {.name = "made-up-imu"}};
static struct platform_device *parent;

static int __init begin(void) {
  int error = platform_driver_register(&driver);

  if (error) return error;
  parent = platform_device_register_simple("made-up-imu", -1, NULL, 0);
  if (!IS_ERR(parent)) return 0;
  platform_driver_unregister(&driver);
  return PTR_ERR(parent);
}

static void __exit end(void) {
  platform_device_unregister(parent);
  platform_driver_unregister(&driver);
}

module_init(begin);
module_exit(end);
MODULE_DESCRIPTION("An IMU for tests");
MODULE_LICENSE("Dual MIT/GPL");
