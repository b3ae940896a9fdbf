"""Who somebody is, by the claims of a token."""

from typing import Any

import pytest

from services.core.errors import NotAllowedError
from services.core.identity import SignIn, identity_of

TOKEN = {"iss": "https://id.example", "sub": "1", "name": " Anna\n A. "}


def read(claims: dict[str, Any], **rules: Any) -> Any:
    return identity_of({**TOKEN, **claims}, SignIn.model_validate(rules))


def test_a_person_is_the_issuer_and_the_subject_whatever_they_are_called() -> None:
    anna = read({})
    assert anna.owner == read({"name": "Anna B.", "role": "admin"}).owner
    assert anna.owner != read({"sub": "2"}).owner
    assert anna.owner != read({"iss": "https://other.example"}).owner
    # The line between the two counts: "a" + "bc" is not "ab" + "c".
    assert read({"iss": "a", "sub": "bc"}).owner != read({"iss": "ab", "sub": "c"}).owner
    assert anna.name == "Anna A."
    assert not anna.local


@pytest.mark.parametrize(
    ("claims", "rules", "role"),
    [
        ({}, {}, "reader"),
        ({}, {"role": "analyst"}, "analyst"),
        ({"role": "analyst"}, {}, "analyst"),
        ({"role": ["reader", "admin", "analyst"]}, {}, "admin"),
        ({"role": "Admin"}, {}, "reader"),
        ({"role": {"admin": True}}, {}, "reader"),
        ({"realm": {"roles": ["analyst"]}}, {"role_claim": "realm.roles"}, "analyst"),
        ({"https://y/role": "admin"}, {"role_claim": "https://y/role"}, "admin"),
        ({"role": "admin"}, {"role_claim": "realm.roles"}, "reader"),
        ({"role": "reader"}, {"role": "analyst"}, "reader"),
    ],
)
def test_the_role_is_that_of_the_claim_named_and_the_highest_of_several(
    claims: dict[str, Any], rules: dict[str, Any], role: str
) -> None:
    assert read(claims, **rules).role == role


def test_the_team_is_that_of_the_claim_named() -> None:
    assert read({"team": "research"}).team == "research"
    assert read({"dept": ["a", "b"]}, team_claim="dept").team == "a"
    assert read({}).team == ""


def test_nobody_is_made_an_admin_by_default() -> None:
    with pytest.raises(ValueError, match="role"):
        read({}, role="admin")


def test_claims_without_a_subject_are_nobody() -> None:
    with pytest.raises(NotAllowedError):
        read({"sub": ""})
