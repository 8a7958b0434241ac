"""A PostgreSQL server of the tests' own: made in a temporary folder, gone afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from sqlalchemy import create_engine

SERVER_USER = "postgres"
"""Who runs the server when the tests run as root, which PostgreSQL refuses to run as."""


def program(name: str) -> str:
    """The path of one of the server's programs, which Debian keeps off the path."""
    found = shutil.which(name) or max(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), default="")
    assert found, f"{name} is missing: run scripts/setup.sh test"
    return str(found)


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Server:
    """One server with one database, which is emptied for each test: a new one takes longer."""

    folder: Path
    port: int = field(default_factory=free_port)

    def make(self) -> None:
        """Lay the cluster out and start it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            shutil.chown(self.folder, SERVER_USER)
        data = str(self.folder / "data")
        self._run("initdb", "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")
        self._certify()
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        # No power is cut under the server itself, so it need not wait for the disk.
        options = (
            f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off -c ssl=on "
            f"-c ssl_cert_file={self.certificate} -c ssl_key_file={self.folder / 'server.key'}"
        )
        log = str(self.folder / "log")
        self._run(
            "pg_ctl", "-D", str(self.folder / "data"), "-l", log, "-w", "-o", options, "start"
        )

    def stop(self, how: str = "fast") -> None:
        """Stop it at once; whoever is connected loses the line. ``immediate`` is a crash."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", how, "stop")

    @property
    def certificate(self) -> Path:
        """What the server shows to whoever asks for an encrypted line; signed by itself."""
        return self.folder / "server.crt"

    def url(self, database: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def database(self) -> str:
        """The address of an empty database."""
        engine = create_engine(self.url().replace("postgresql:", "postgresql+pg8000:"))
        with engine.begin() as connection:
            connection.exec_driver_sql("DROP SCHEMA public CASCADE")
            connection.exec_driver_sql("CREATE SCHEMA public")
        engine.dispose()
        return self.url()

    def _certify(self) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
        now = datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(
                x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), False
            )
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
            .sign(key, hashes.SHA256())
        )
        self.certificate.write_bytes(certificate.public_bytes(Encoding.PEM))
        secret = self.folder / "server.key"
        secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        secret.chmod(0o600)
        if os.geteuid() == 0:
            shutil.chown(secret, SERVER_USER)

    def _run(self, name: str, *arguments: str) -> None:
        words = [program(name), *arguments]
        if os.geteuid() == 0:
            words = ["runuser", "-u", SERVER_USER, "--", *words]
        log = self.folder / f"{name}.out"
        # Into a file: the server inherits it and would keep a pipe open.
        with log.open("wb") as out:
            ended = subprocess.run(words, stdout=out, stderr=out, cwd=self.folder, check=False)
        assert ended.returncode == 0, log.read_text()
