#pragma once

/// Everything redtune offers to a program, in one include.
#include "redtune/catalog.h"
#include "redtune/error.h"
#include "redtune/launch_plan.h"
#include "redtune/match.h"
#include "redtune/parameter.h"
#include "redtune/problem.h"
#include "redtune/version.h"
