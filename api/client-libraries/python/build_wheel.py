"""Builds the wheel by the standard library (PEP 517), so that pip installs the folder without a network."""

import base64
import hashlib
import os
import re
import time
import zipfile


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = _read("pyproject.toml")
    version = re.search(r'VERSION = "(.+)"', _read("broadside/_version.py"))[1]
    name = _field(project, "name")
    stem = f"{name.replace('-', '_')}-{version}"
    metadata = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        f"Summary: {_field(project, 'description')}",
        f"Requires-Python: {_field(project, 'requires-python')}",
        "License: Apache-2.0",
        "Description-Content-Type: text/markdown",
        "",
        _read("README.md"),
    ]
    files = {f"broadside/{each}": _read(f"broadside/{each}") for each in sorted(os.listdir("broadside"))
             if each.endswith((".py", ".typed"))}
    files[f"{stem}.dist-info/LICENSE"] = _read("LICENSE")
    files[f"{stem}.dist-info/METADATA"] = "\n".join(metadata)
    files[f"{stem}.dist-info/WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: broadside\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    wheel = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        record = []
        for path, text in files.items():
            _add(archive, path, text)
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(text.encode())}")
        record.append(f"{stem}.dist-info/RECORD,,")
        _add(archive, f"{stem}.dist-info/RECORD", "\n".join(record) + "\n")
    return wheel


def _add(archive, path, text):
    # The time of the sources where it is given (https://reproducible-builds.org/specs/source-date-epoch/).
    at = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    entry = zipfile.ZipInfo(path, at[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, text)


def _read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def _field(project, name):
    return re.search(rf'^{name} = "(.+)"$', project, re.MULTILINE)[1]
