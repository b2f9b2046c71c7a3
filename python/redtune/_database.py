"""Reading the databases: the rows of their views, without any change to the files."""

from __future__ import annotations

import contextlib
import os
import pathlib
import sqlite3
import typing

from . import _core
from ._errors import DatabaseError, InputError

VIEWS = ("winners", "measurements", "failures", "size_checks", "winner_data", "sweeps", "unit_times")
_LEAST_SQLITE = (3, 38, 0)


class Database:
    """The databases that look-ups read, or one file. redtune.database() makes it.

    layers: pairs of a layer's name ("user", "shipped", "file") and its file. An id is unique within one file only.
    """

    def __init__(self, layers: typing.Sequence[tuple[str, pathlib.Path]]) -> None:
        self.layers = list(layers)

    def __repr__(self) -> str:
        return f"Database({', '.join(f'{name}: {file}' for name, file in self.layers)})"

    @contextlib.contextmanager
    def _connections(self) -> typing.Iterator[list[tuple[str, sqlite3.Connection]]]:
        with contextlib.ExitStack() as stack:
            yield [(name, stack.enter_context(contextlib.closing(_connect(name, file)))) for name, file in self.layers]

    def rows(self, view: str = "winners", **equal: typing.Any) -> list[dict[str, typing.Any]]:
        """Return the rows of a view as dicts, of all layers one after the other; the first key is "layer".

        view: one of VIEWS; docs/database.md describes their columns
        equal: values that columns must have: rows("winners", op="sum", dtype="f32")

        Raises InputError for another view or column, with the allowed ones; DatabaseError if a file cannot be read.
        """
        if view not in VIEWS:
            raise InputError(f"there is no view '{view}'; the views are {', '.join(VIEWS)}")
        found = []
        with self._connections() as connections:
            for layer, connection in connections:
                columns = [row[1] for row in connection.execute(f"PRAGMA table_info({view})")]
                for name in equal:
                    if name not in columns:
                        raise InputError(f"the view {view} has no column '{name}'; its columns are {', '.join(columns)}")
                conditions = " AND ".join(f'"{name}" IS ?' for name in equal)
                query = f"SELECT * FROM {view}" + (f" WHERE {conditions}" if conditions else "")
                for row in connection.execute(query, tuple(equal.values())):
                    found.append({"layer": layer, **dict(zip(columns, row, strict=True))})
        return found

    def to_pandas(self, view: str = "winners", **equal: typing.Any):
        """Return rows() as a pandas.DataFrame. Raises ImportError without pandas."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas() needs pandas (pip install pandas); rows() returns the same as dicts") from error
        return pandas.DataFrame(self.rows(view, **equal))


def _connect(layer: str, file: pathlib.Path) -> sqlite3.Connection:
    # The shipped files are never changed in place, and their folder may be read-only: no lock, no journal.
    options = "mode=ro&immutable=1" if layer == "shipped" else "mode=ro"
    try:
        connection = sqlite3.connect(f"{file.absolute().as_uri()}?{options}", uri=True)
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if application != _core.application_id:
            raise DatabaseError(f"{file} is not a redtune database")
        if version != _core.schema_version:
            raise DatabaseError(
                f"{file} has version {version} of the schema, and this redtune reads version {_core.schema_version}; "
                + ("`python -m redtune tune` upgrades it" if version < _core.schema_version else "use the newer redtune")
            )
    except sqlite3.Error as error:
        raise DatabaseError(f"{file} cannot be read: {error}") from error
    return connection


def database(file: str | os.PathLike[str] | None = None) -> Database:
    """Return the databases that look-ups read: your own if it exists, then those that ship with the package.

    file: one database to read in place of them, such as that of tune(db=...)

    The files are opened read-only at each call of rows(), so that it sees what tune() has stored meanwhile. Raises
    DatabaseError if the file does not exist, or if Python's SQLite is too old.
    """
    if sqlite3.sqlite_version_info < _LEAST_SQLITE:
        raise DatabaseError(f"Python's SQLite is {sqlite3.sqlite_version}, and the databases need 3.38 or newer")
    if file is not None:
        path = pathlib.Path(file)
        if not path.exists():
            raise DatabaseError(f"there is no database at {path}; redtune.tune() makes one")
        return Database([("file", path)])
    user = pathlib.Path(_core.user_database())
    shipped = [("shipped", pathlib.Path(each)) for each in _core.winners_files(_core.system_data())]
    return Database([("user", user)] * user.exists() + shipped)
