"""Stand-ins for modules that a harness imports and our runs never use (torch and its kin).

`stand_in(...)` installs them behind all real modules, so that whatever is installed is used. A
stand-in says no to everything: it is false, empty, and gives back what it decorates.
"""

import importlib.abc
import importlib.machinery
import sys
import types
from typing import Any

STOOD_IN: list[str] = []  # the top-level modules that were not there


class _Meta(type):
    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing

    def __bool__(cls) -> bool:
        return False

    def __iter__(cls) -> Any:
        return iter(())

    def __or__(cls, other: Any) -> Any:
        return other

    __ror__ = __or__

    def __setitem__(cls, key: Any, value: Any) -> None:
        pass

    def __getitem__(cls, key: Any) -> Any:
        return cls


class _Nothing(metaclass=_Meta):
    num_processes, process_index, local_process_index, is_main_process = 1, 0, 0, True

    def __init__(self, *args: Any, **more: Any) -> None:
        pass

    def __call__(self, *args: Any, **more: Any) -> Any:
        return args[0] if len(args) == 1 and callable(args[0]) else self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing()

    def __bool__(self) -> bool:
        return False

    def __iter__(self) -> Any:
        return iter(())

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: Any) -> None:
        pass


class _Module(types.ModuleType):
    __path__ = ()
    __version__ = "0"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return sys.modules.get(f"{self.__name__}.{name}", _Nothing)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        top = name.partition(".")[0]
        if top not in self.names:
            return None
        if top != name and not isinstance(sys.modules.get(top), _Module):
            return None  # a part that a real package does not have
        if top not in STOOD_IN:
            STOOD_IN.append(top)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> types.ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def stand_in(*names: str) -> None:
    """Stand in for those of the modules that are not there."""
    sys.meta_path.append(_Finder(names))
