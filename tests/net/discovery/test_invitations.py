"""Links and codes of a table, in the order in which people should try them."""

from __future__ import annotations

from dataclasses import replace

from lanuno.net.discovery.codes import read_code
from lanuno.net.discovery.invitations import invitations
from lanuno.net.discovery.table_link import parse_link
from tests.harness.sockets.adverts import ADVERT


def test_each_usable_address_gives_a_link_and_each_ipv4_address_a_code() -> None:
    advert = replace(ADVERT, addresses=("2001:db8::5", "fe80::1%2", "192.0.2.7"))
    links, codes = invitations(advert)
    assert [parse_link(each).host for each in links] == ["192.0.2.7", "2001:db8::5"]
    assert {parse_link(each).fingerprint for each in links} == {advert.fp}
    assert [read_code(each) for each in codes] == [("192.0.2.7", advert.port)]


def test_a_port_that_no_code_can_name_has_links_only() -> None:
    links, codes = invitations(replace(ADVERT, port=5000))
    assert len(links) == 1
    assert codes == ()
