"""Where a host name leads, and whether that is the open network."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Resolver = Callable[[str, int], Awaitable[tuple[str, ...]]]
_NAT64 = ip_network("64:ff9b::/96")


async def resolve(host: str, port: int) -> tuple[str, ...]:
    """The addresses of ``host``, the system's order. Raises ``OSError``."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(each[4][0]) for each in found))


def is_open(address: str) -> bool:
    """Whether an address is of the open network: not this machine, not a private or special range, and no IPv6 form of
    such an IPv4 address."""
    ip = ip_address(address.partition("%")[0])
    inner = _inner(ip) if isinstance(ip, IPv6Address) else None
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        return is_open(str(ip.ipv4_mapped))
    if inner is not None and not is_open(str(inner)):
        return False
    return ip.is_global and not ip.is_multicast


def _inner(ip: IPv6Address) -> IPv4Address | None:
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    if ip.sixtofour is not None:
        return ip.sixtofour
    return ip.teredo[1] if ip.teredo is not None else None
