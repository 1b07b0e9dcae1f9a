// The families of tags, as libapriltag decodes them. One is made when it is first asked for: the others cost nothing.
#pragma once

#include <apriltag/apriltag.h>

#include <memory>
#include <string>

namespace vedette {

using FamilyOwner = std::unique_ptr<apriltag_family_t, void (*)(apriltag_family_t*)>;

/** By its name in TAG_FAMILIES; none for any other name. */
FamilyOwner make_family(const std::string& name);

/** Bytes of the table that libapriltag makes for a family of which it is to correct so many bits. */
double table_bytes(const apriltag_family_t& family, int bits);

/**
 * Modules along a side of the square in the middle of a family's tags in which nothing is printed; 0: there is none.
 * Another tag may hang there.
 */
int hole_modules(const apriltag_family_t& family);

}  // namespace vedette
