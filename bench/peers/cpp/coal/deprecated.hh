// Coal's macros for deprecated names; see config.hh.
#pragma once
#define COAL_DEPRECATED
#define COAL_DEPRECATED_MESSAGE(message)
