"""A folder of an S3-compatible store, as settings name it. Nothing here asks it anything."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from services.core.errors import ConfigError

# What S3 itself allows as a bucket's name, then a path of plain names: no user, query or `..`.
_ADDRESS = re.compile(
    r"s3://(?P<name>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?P<prefix>(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)/?"
)
# A server, without a user, a path or a query.
_ENDPOINT = re.compile(
    r"(?P<scheme>https?)://(?P<host>[A-Za-z0-9.-]+(:[0-9]{1,5})?|\[[0-9a-f:]+\](:[0-9]{1,5})?)/?"
)
_REGION = re.compile(r"[a-z0-9-]{2,40}")
_KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")


@dataclass(frozen=True, slots=True)
class Bucket:
    """Where it is, and who asks. `endpoint` is a host with its port; empty for AWS itself."""

    name: str
    prefix: str = ""
    scheme: str = "https"
    endpoint: str = ""
    region: str = "us-east-1"
    key: str = field(default="", repr=False)
    secret: str = field(default="", repr=False)
    token: str = field(default="", repr=False)

    @property
    def root(self) -> str:
        """The bucket and the path in it, as one."""
        return f"{self.name}/{self.prefix}" if self.prefix else self.name


def read_bucket(variable: str, address: str, given: Mapping[str, str]) -> Bucket:
    """The bucket of `s3://name/path`; server, region and keys as every client of S3 reads them.

    Raises: ConfigError, which repeats neither the address nor a key.
    """
    found = _ADDRESS.fullmatch(address.strip())
    if found is None:
        raise ConfigError(variable, "valid: s3://bucket/path, without a user, a query or blanks")
    endpoint = (given.get("AWS_ENDPOINT_URL") or "").strip()
    server = _ENDPOINT.fullmatch(endpoint)
    if endpoint and server is None:
        raise ConfigError(
            "AWS_ENDPOINT_URL", "valid: an address such as https://s3.example.com, without a user"
        )
    region = (given.get("AWS_REGION") or "us-east-1").strip()
    if not _REGION.fullmatch(region):
        raise ConfigError("AWS_REGION", "valid: a region such as eu-central-1")
    keys = [(given.get(name) or "").strip() for name in _KEYS]
    for name, key in zip(_KEYS[:2], keys[:2], strict=True):
        if not key:
            raise ConfigError(name, f"{variable} names a bucket, which is asked with keys; set it")
    return Bucket(
        found["name"],
        found["prefix"].strip("/"),
        server["scheme"] if server else "https",
        server["host"] if server else "",
        region,
        *keys,
    )
