#!/bin/busybox sh
# All that runs before the root is entered: the modules of disk and file system, in order.
/bin/busybox mkdir -p /proc /sys /dev /root
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
/bin/busybox mount -t devtmpfs dev /dev
for module in $(/bin/busybox cat /modules/order); do /bin/busybox insmod "/modules/$module"; done
waited=0
while [ ! -b /dev/vda ] && [ $waited -lt 100 ]; do
  /bin/busybox usleep 100000
  waited=$((waited + 1))
done
/bin/busybox mount -t ext4 /dev/vda /root
exec /bin/busybox switch_root /root /sbin/init
