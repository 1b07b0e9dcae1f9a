// What kind of network an address belongs to.
#pragma once

#include <sys/socket.h>

namespace vedette {

/** private_network: addresses that are given out freely behind a router (RFC 1918, RFC 4193), and link-local ones. */
enum class AddressClass { loopback, private_network, elsewhere };

/** An IPv4 address inside of an IPv6 one counts as itself. */
AddressClass class_of(const sockaddr& address);

/** The same of an address as text; `elsewhere` for what is none. */
AddressClass class_of(const char* address);

}  // namespace vedette
