"""Label Studio on this machine: installing, starting, accounts, pictures, one client."""

from __future__ import annotations

from .accounts import name_of, names
from .client import Client, Fault, Missing
from .connection import connect, note_version
from .picture_store import (
    PictureStore,
    local_store,
    picture_project,
    upload_store,
    uploaded_name,
)
from .server import PICTURES
