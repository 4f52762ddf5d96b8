"""Whose address a request counts for: only trusted proxies are asked, and a /64 is one client."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catinthebox.server.ops.networks import LOCAL, Networks, address_key

LAW = settings(deadline=None, derandomize=True)  # a busy machine proves nothing wrong

v4 = st.ip_addresses(v=4).map(str)
v6 = st.ip_addresses(v=6).map(str)


@LAW
@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_a_visitor(address: IPv4Address) -> None:
    """Whole, and also when it is written as an IPv6 address."""
    assert address_key(str(address)) == str(address)
    assert address_key(f"::ffff:{address}") == str(address)


@LAW
@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_a_64_is_a_visitor(address: IPv6Address, low: int) -> None:
    """All addresses of a /64 are one; the neighbour is another."""
    if address.ipv4_mapped:
        return
    neighbour = IPv6Address(int(address) >> 64 << 64 | low)
    other = IPv6Address(int(address) ^ (1 << 64))
    assert address_key(str(address)) == address_key(str(neighbour))
    assert address_key(str(address)) != address_key(str(other))


@pytest.mark.parametrize("text", ["", "testclient", "1.2.3", "1.2.3.4:80", "[::1]", "0x7f.1"])
def test_what_is_no_address_is_local(text: str) -> None:
    """A unix socket has none; nothing else is guessed."""
    assert address_key(text) == LOCAL


def test_the_name_of_an_interface_is_not_part_of_a_key() -> None:
    """Link-local addresses carry one."""
    assert address_key("fe80::1%eth0") == address_key("fe80::1%eth1") == "fe80::/64"


@LAW
@given(st.one_of(v4, v6), st.lists(st.text(max_size=60), max_size=3))
def test_strangers_are_not_believed(peer: str, forwarded: list[str]) -> None:
    """Whatever they write, anyone who is no proxy of ours speaks for itself."""
    trusted = Networks.parse(["192.0.2.1"])
    assert trusted.client(peer, forwarded) == Networks().client(peer)


@LAW
@given(v4, st.lists(st.text(max_size=60), max_size=3))
def test_the_left_end_can_be_anything(client: str, lies: list[str]) -> None:
    """Our proxy adds the address it was called from; what stands before it changes nothing."""
    trusted = Networks.parse(["127.0.0.1"])
    if client == "127.0.0.1":
        return
    lied = [lie.replace("\n", "") for lie in lies]
    assert trusted.client("127.0.0.1", [*lied, client]) == client
    assert trusted.client("127.0.0.1", [", ".join([*lied, client])]) == client


TWO = Networks.parse(["127.0.0.1", "10.0.0.0/8", "fd00::/8"])


@pytest.mark.parametrize(
    ("forwarded", "found"),
    [
        ([], "127.0.0.1"),
        ([""], "127.0.0.1"),
        (["203.0.113.9"], "203.0.113.9"),
        (["203.0.113.9, 10.1.2.3"], "203.0.113.9"),
        (["203.0.113.9", "10.1.2.3"], "203.0.113.9"),
        (["203.0.113.9,fd00::5"], "203.0.113.9"),
        (["2001:db8::1, ::ffff:10.1.2.3"], "2001:db8::1"),
        (["10.9.9.9, 10.1.2.3"], "10.9.9.9"),  # all are ours: the first one is a client, too
        (["203.0.113.9, unknown, 10.1.2.3"], "10.1.2.3"),
        (["203.0.113.9, "], "127.0.0.1"),
        (["203.0.113.9:4711"], "127.0.0.1"),
        (["for=203.0.113.9"], "127.0.0.1"),
    ],
)
def test_hops(forwarded: list[str], found: str) -> None:
    """The rightmost hop that is not ours; what is not plainly an address ends the search."""
    assert TWO.client("127.0.0.1", forwarded) == found


def test_unix_sockets() -> None:
    """A peer behind a unix socket is believed if it was said so, and has no address itself."""
    assert Networks.parse(["unix"]).client(None, ["203.0.113.9"]) == "203.0.113.9"
    assert Networks.parse(["unix"]).client("name", ["203.0.113.9"]) == LOCAL
    assert Networks().client(None, ["203.0.113.9"]) == LOCAL


def test_every_bad_proxy_is_named() -> None:
    """A mistake in the configuration is an error at the start, not a surprise later."""
    with pytest.raises(ValueError, match=r"'proxy.example', '10.0.0.1/8'"):
        Networks.parse(["127.0.0.1", "proxy.example", "10.0.0.1/8"])
