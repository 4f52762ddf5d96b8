"""Pages of ours may talk to us, strangers may not, and nobody gets in under a wrong name."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catinthebox.server.http.origins import HostName, Origin, Origins

LAW = settings(deadline=None, derandomize=True)  # a busy machine proves nothing wrong

label = st.from_regex(r"[a-z][a-z0-9-]{0,10}[a-z0-9]", fullmatch=True)
name = st.lists(label, min_size=2, max_size=4).map(".".join)
port = st.one_of(st.none(), st.integers(1, 65535))
place = st.one_of(
    name, st.ip_addresses(v=4).map(str), st.ip_addresses(v=6).map(lambda ip: f"[{ip}]")
)


def at(place: str, port: int | None) -> str:
    return place if port is None else f"{place}:{port}"


# ── Same origin ──────────────────────────────────────────────────────────────────────────────


@LAW
@given(place, port, st.sampled_from(["http", "https"]))
def test_our_own_pages_may(place: str, port: int | None, scheme: str) -> None:
    """A page that this host served, however the host is written."""
    host = at(place, port)
    upgrade = {"http": "ws", "https": "wss"}[scheme]
    for seen in (scheme, upgrade):
        assert Origins().allows(f"{scheme}://{host}", host, seen)
        assert Origins().allows(f"{scheme}://{host}", host.upper(), seen)


@LAW
@given(place, port, place, port)
def test_pages_of_others_may_not(
    mine: str, port: int | None, theirs: str, other: int | None
) -> None:
    """Another name, or another port, is another site."""
    if (mine, port or 443) != (theirs, other or 443):
        assert not Origins().allows(f"https://{at(theirs, other)}", at(mine, port), "https")


@LAW
@given(st.text(max_size=40), place)
def test_only_what_is_an_origin_is_one(text: str, host: str) -> None:
    """Nothing else than scheme, host and port gets through; `null` is nobody."""
    assert Origins().allows(text, host, "http") is (
        text.lower() in {f"http://{host}", f"https://{host}"}
    )


@pytest.mark.parametrize(
    ("origin", "host", "scheme"),
    [
        ("http://cats.example:80", "cats.example", "http"),
        ("http://cats.example", "cats.example:80", "http"),
        ("https://cats.example", "cats.example:443", "https"),
        ("https://cats.example", "cats.example", "http"),  # a proxy ends TLS, and says nothing
        ("https://cats.example", "cats.example", "ws"),
        ("http://[::1]:8000", "[0:0::1]:8000", "http"),
    ],
)
def test_usual_ports_and_proxies(origin: str, host: str, scheme: str) -> None:
    """The same site, written in two ways."""
    assert Origins().allows(origin, host, scheme)


@pytest.mark.parametrize(
    "origin",
    [
        *("null", "", "*", "cats.example", "//cats.example", "http://"),
        *("http://cats.example/", "http://cats.example?", "http://cats.example#", "file://"),
        *("http://evil@cats.example", "http://cats.example@evil", "http://cats.example.evil.test"),
        *("http://evilcats.example", "http://cats.example:81", "http://cats.example:0"),
        *("http://cats.example:", "http://cats.example:80:80", "http://cats.example. "),
        *("http://cats.example http://cats.example", "ws://cats.example", "ftp://cats.example"),
        *("http://cats.example\x00", "http://cats.example\r\n", "HTTP//cats.example"),
    ],
)
def test_near_misses(origin: str) -> None:
    """Each of these has fooled a server somewhere."""
    assert not Origins.of(names=["cats.example"]).allows(origin, "cats.example", "http")


def test_an_unprotected_page_may_not_talk_to_a_protected_server() -> None:
    """Anyone who sits on the wire could have written that page."""
    assert not Origins().allows("http://cats.example", "cats.example", "https")
    assert not Origins().allows("http://cats.example:443", "cats.example:443", "wss")


@pytest.mark.long
@LAW
@given(place, st.sampled_from(["http", "https", "ws", "wss"]))
def test_programs_send_no_origin(host: str, scheme: str) -> None:
    """Browsers always do where it matters; a program is not asked for what it could invent."""
    assert Origins().allows(None, host, scheme)


def test_pages_elsewhere_that_were_named() -> None:
    """Exactly those: scheme, name and port; also schemes of apps."""
    pages = Origins.of(pages=["https://club.example", "http://localhost:5173", "app://cat"])
    assert pages.allows("https://club.example:443", "cats.example", "https")
    assert pages.allows("http://localhost:5173", "localhost:8000", "http")
    assert pages.allows("app://cat", None, "http")
    assert not pages.allows("http://club.example", "cats.example", "https")
    assert not pages.allows("https://a.club.example", "cats.example", "https")
    assert not pages.allows("http://localhost:5174", "localhost:8000", "http")


# ── Names ────────────────────────────────────────────────────────────────────────────────────


@LAW
@given(name, port)
def test_a_host_name_must_be_configured(name: str, port: int | None) -> None:
    """Else a name that leads here by a trick would do (DNS rebinding)."""
    if not name.endswith(".localhost"):
        assert not Origins().knows(at(name, port))
        assert not Origins.of(names=[f"x{name}", f"x.{name}"]).knows(at(name, port))
    assert Origins.of(names=[name.upper()]).knows(at(name, port))


@LAW
@given(st.one_of(st.ip_addresses(v=4).map(str), st.ip_addresses(v=6).map("[{}]".format)), port)
def test_an_address_is_what_it_is(address: str, port: int | None) -> None:
    """No name server can make it lead elsewhere."""
    assert Origins().knows(at(address, port))
    assert Origins.of(names=["cats.example"]).knows(at(address, port))


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "cats.localhost", "LOCALHOST"])
def test_localhost(host: str) -> None:
    """It always means the machine of the client."""
    assert Origins().knows(host)


@pytest.mark.parametrize(
    "host",
    [
        *(
            "",
            " ",
            ":80",
            "localhost:",
            "localhost:x",
            "localhost:65536",
            "localhost.",
            ".localhost",
        ),
        *("localhost.evil.test", "evillocalhost", "127.0.0.1.evil.test", "127.1", "0x7f000001"),
        *(
            "2130706433",
            "::1",
            "[::1",
            "[::1]x",
            "[evil]",
            "[::1%25eth0]",
            "1.2.3.4.5",
            "1.2.3.256",
        ),
        *("a b", "a/b", "a@127.0.0.1", "127.0.0.1@a", "a,127.0.0.1", "-a", "a..b", "ä", "١.٢.٣.٤"),
        *("a" * 64 + ".localhost", "a." * 130 + "localhost", "localhost\n", "127.0.0.1;x"),
    ],
)
def test_names_that_are_none(host: str) -> None:
    """What is not exactly a name or an address is not ours."""
    assert not Origins.of(names=["a"]).knows(host)


@LAW
@given(st.text())
def test_any_text_is_answered(text: str) -> None:
    """No header makes it raise; what is known is lower case, plain, and safe in a header."""
    if Origins().knows(text):
        assert HostName.parse(text).literal or HostName.parse(text).loopback
        assert HostName.parse(text).name.isascii()
    assert isinstance(Origins().allows(text, text, "http"), bool)


def test_all_mistakes_of_a_command_line_are_named() -> None:
    """Not the first one only."""
    with pytest.raises(ValueError, match=r"'a b', 'null', 'https://a/'"):
        Origins.of(names=["a", "a b"], pages=["https://a", "null", "https://a/"])


@LAW
@given(place, port)
def test_hosts_and_origins_can_be_compared(place: str, port: int | None) -> None:
    """Reading is a normal form: the same place is the same value."""
    host = HostName.parse(at(place, port))
    assert host == HostName.parse(at(place.upper(), port))
    assert Origin.parse(f"https://{at(place, port)}") == Origin.at("https", host)
    assert Origin.at("https", host).host.port == port or port is None
