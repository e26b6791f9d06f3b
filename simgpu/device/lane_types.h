/* The types of lanes: 16-bit values are the low half of 32 bits, whose high half has no meaning. */
#pragma once

#include "lane.h"

#define LANE_TYPE_u16 u32
#define LANE_TYPE_s16 u32
#define LANE_TYPE_u32 u32
#define LANE_TYPE_s32 s32
#define LANE_TYPE_f32 f32
#define LANE_TYPE_u64 u64
#define LANE_TYPE_s64 s64
#define LANE_TYPE_f64 f64
#define NARROW_u16(x) ((u32)(u16)(x))
#define NARROW_s16(x) ((u32)(u16)(s16)(x))
#define NARROW_u32(x) ((u32)(x))
#define NARROW_s32(x) ((s32)(x))
#define NARROW_f32(x) (x)
#define NARROW_u64(x) ((u64)(x))
#define NARROW_s64(x) ((s64)(x))
#define NARROW_f64(x) (x)
