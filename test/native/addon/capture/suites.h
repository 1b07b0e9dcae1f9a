// The groups of tests in this folder.
#pragma once

namespace vedette::test {

void test_pictures();
void test_pngs();
void test_upright();
void test_jpeg_parts();
void test_odd_jpegs();
void test_images();
void test_synthetic();
void test_network();
void test_video();
void test_fair_mutex();
void test_v4l2();

/** frames: how many pictures the detector looks at. */
void test_accuracy(int frames);

}  // namespace vedette::test
