"""Label Studio on this machine: installing, starting, accounts, pictures, one client."""

from __future__ import annotations

from .accounts import add_people, name_of, names
from .client import Client, Fault, Missing
from .connection import connect, note_version
from .environment import VERSION, install
from .picture_store import (
    PictureStore,
    local_store,
    picture_project,
    upload_store,
    uploaded_name,
)
from .serve import add_elsewhere
from .server import PICTURES, Account, read_site, served
