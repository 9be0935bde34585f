"""
Builds this package with the standard library alone (PEP 517, PEP 660), so that pip needs no network. A wheel built in a
clone or in the npm package records their program, which the client then starts; one built from an sdist does not.
"""

import base64
import gzip
import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "elbowroom"
VERSION = "0.2.0"
INFO = f"{NAME}-{VERSION}.dist-info"
METADATA = f"""Metadata-Version: 2.4
Name: {NAME}
Version: {VERSION}
Summary: Client of elbowroom: certified motion planning and collision checking for robot arms
License-Expression: MIT
License-File: LICENSE
Requires-Python: >=3.9
Provides-Extra: numpy
Requires-Dist: numpy; extra == "numpy"
Description-Content-Type: text/markdown
"""
PROGRAM = ROOT.parent.parent / "bin" / "elbowroom.js"
LICENSE = next(folder / "LICENSE" for folder in (ROOT, *ROOT.parents) if (folder / "LICENSE").is_file())
WHEEL = "Wheel-Version: 1.0\nGenerator: elbowroom\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in _modules()}
    if PROGRAM.is_file():
        files[f"{NAME}/program.txt"] = str(PROGRAM).encode()
    return _write(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write(wheel_directory, {f"{NAME}.pth": f"{ROOT}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    base = f"{NAME}-{VERSION}"
    others = [ROOT / name for name in ("README.md", "pyproject.toml", "build_backend/backend.py")]
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in [*_modules(), *others]}
    files = {**files, "LICENSE": LICENSE.read_bytes(), "PKG-INFO": _metadata()}
    with open(Path(sdist_directory) / f"{base}.tar.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, content in files.items():
                entry = tarfile.TarInfo(f"{base}/{name}")
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return f"{base}.tar.gz"


def _modules():
    paths = sorted(path for name in (NAME, f"{NAME}_verify") for path in (ROOT / name).rglob("*"))
    return [path for path in paths if path.suffix == ".py" or path.name == "py.typed"]


def _metadata():
    return f"{METADATA}\n{(ROOT / 'README.md').read_text(encoding='utf-8')}".encode()


def _write(folder, files):
    files = {**files, f"{INFO}/METADATA": _metadata(), f"{INFO}/WHEEL": WHEEL.encode()}
    files[f"{INFO}/licenses/LICENSE"] = LICENSE.read_bytes()
    rows = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(content)}\n")
    files[f"{INFO}/RECORD"] = "".join([*rows, f"{INFO}/RECORD,,\n"]).encode()
    wheel = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return wheel
