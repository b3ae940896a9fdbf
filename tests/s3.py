"""A real S3 server on loopback (moto, in packages of its own), for the tests that need one.

It holds the signature of every request against the keys it gave out, and lasts for one process.
"""

import json
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from services.core.buckets import Bucket, read_bucket
from services.settings import ROOT

# moto needs older packages than the workbench: `make thorough` lays them beside.
_PYTHON = ROOT / ".venv-s3" / "bin" / "python"
# A user with keys and a bucket; from then on nothing is answered without a right signature.
_SETUP = """
import json, sys, urllib.request
import boto3
url = sys.argv[1]
anyone = dict(aws_access_key_id="x", aws_secret_access_key="x")
asked = dict(endpoint_url=url, region_name="us-east-1", **anyone)
boto3.client("s3", **asked).create_bucket(Bucket="market")
iam = boto3.client("iam", **asked)
iam.create_user(UserName="youju")
may = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
policy = json.dumps({"Version": "2012-10-17", "Statement": [may]})
iam.put_user_policy(UserName="youju", PolicyName="all", PolicyDocument=policy)
key = iam.create_access_key(UserName="youju")["AccessKey"]
urllib.request.urlopen(urllib.request.Request(
    url + "/moto-api/reset-auth", data=b"0", headers={"Content-Type": "text/plain"}, method="POST"))
print(json.dumps([key["AccessKeyId"], key["SecretAccessKey"]]))
"""


def installed() -> bool:
    """Whether there is one to run."""
    return _PYTHON.exists()


class S3:
    """A running server with one empty bucket, `market`."""

    def __init__(self, process: "subprocess.Popen[bytes]", url: str, keys: list[str]) -> None:
        self._process = process
        self.settings = {
            "AWS_ENDPOINT_URL": url,
            "AWS_ACCESS_KEY_ID": keys[0],
            "AWS_SECRET_ACCESS_KEY": keys[1],
        }

    def bucket(self, path: str) -> Bucket:
        """A folder of it."""
        return read_bucket("YOUJU_PUBLISHED", f"s3://market/{path}", self.settings)

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """It takes connections and answers nothing."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)


@contextmanager
def serving_s3() -> Iterator[S3]:
    """One that is ready; ended afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    server = [str(_PYTHON), "-u", "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(server, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if b"Running on" in line:
                    break
            else:
                raise AssertionError("moto did not start")
            # What it tells of each request is read by nobody: a full pipe would stop it.
            quiet = subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL)
            done = subprocess.run(
                [str(_PYTHON), "-c", _SETUP, url], check=True, capture_output=True, text=True
            )
            yield S3(process, url, json.loads(done.stdout))
            quiet.kill()
            quiet.wait()
        finally:
            process.kill()
