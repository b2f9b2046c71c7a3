#pragma once

/// Includes all of redtune's public headers.
#include "redtune/catalog.h"
#include "redtune/error.h"
#include "redtune/launch_plan.h"
#include "redtune/match.h"
#include "redtune/parameter.h"
#include "redtune/problem.h"
#include "redtune/size.h"
#include "redtune/version.h"
