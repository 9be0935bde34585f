// Coal's macros for compiler warnings: none; see config.hh.
#pragma once
