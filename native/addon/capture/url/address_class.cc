#include "address_class.h"

#include <arpa/inet.h>
#include <netinet/in.h>

namespace vedette {

namespace {

AddressClass class_of_v4(uint32_t address) {
  const auto is_in = [address](uint32_t network, int bits) { return (address ^ network) >> (32 - bits) == 0; };
  // 127.0.0.0/8
  if (is_in(0x7f000000, 8)) return AddressClass::loopback;
  // 10/8, 172.16/12, 192.168/16
  if (is_in(0x0a000000, 8) || is_in(0xac100000, 12) || is_in(0xc0a80000, 16)) return AddressClass::private_network;
  // 169.254/16
  if (is_in(0xa9fe0000, 16)) return AddressClass::private_network;
  return AddressClass::elsewhere;
}

AddressClass class_of_v6(const in6_addr& address) {
  const uint8_t* bytes = address.s6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&address))
    return class_of_v4(static_cast<uint32_t>(bytes[12]) << 24 | static_cast<uint32_t>(bytes[13]) << 16 |
                       static_cast<uint32_t>(bytes[14]) << 8 | bytes[15]);
  if (IN6_IS_ADDR_LOOPBACK(&address)) return AddressClass::loopback;
  if ((bytes[0] & 0xfe) == 0xfc || IN6_IS_ADDR_LINKLOCAL(&address)) return AddressClass::private_network;
  return AddressClass::elsewhere;
}

}  // namespace

AddressClass class_of(const sockaddr& address) {
  if (address.sa_family == AF_INET)
    return class_of_v4(ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr));
  if (address.sa_family == AF_INET6) return class_of_v6(reinterpret_cast<const sockaddr_in6&>(address).sin6_addr);
  return AddressClass::elsewhere;
}

AddressClass class_of(const char* address) {
  in_addr v4;
  if (inet_pton(AF_INET, address, &v4) == 1) return class_of_v4(ntohl(v4.s_addr));
  in6_addr v6;
  if (inet_pton(AF_INET6, address, &v6) == 1) return class_of_v6(v6);
  return AddressClass::elsewhere;
}

}  // namespace vedette
