// GPIO chips and their lines, as the kernel tells of them.
#pragma once

#include <string>

namespace vedette::lamps {

/**
 * Of one chip, as JSON: {"path":..,"name":..,"label":..,"lines":[{"offset":..,"name":..,"user":..,"is_used":..},..]},
 * or {"path":..,"detail":"a sentence"}. user: who has the line. Nothing is changed by looking.
 */
std::string chip_json(const std::string& path);

}  // namespace vedette::lamps
