// Dictionaries of ArUco markers as families that libapriltag decodes.
#pragma once

#include "tag_family.h"

namespace vedette {

/** By its name in TAG_FAMILIES; none for any other name. */
FamilyOwner make_aruco_family(const std::string& name);

}  // namespace vedette
