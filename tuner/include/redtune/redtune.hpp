#pragma once

/// This header includes all public C++ headers of redtune.
#include "redtune/call_status.h"
#include "redtune/catalog.h"
#include "redtune/data_ratio.h"
#include "redtune/device.h"
#include "redtune/error.h"
#include "redtune/export.h"
#include "redtune/launch_plan.h"
#include "redtune/match.h"
#include "redtune/parameter.h"
#include "redtune/problem.h"
#include "redtune/reducer.h"
#include "redtune/selector.h"
#include "redtune/size.h"
#include "redtune/tuning.h"
#include "redtune/version.h"
