// Stub.
#pragma once
#define PLUGINLIB_EXPORT_CLASS(type, base) static_assert(std::is_base_of<base, type>::value, "plugin");
