"""The commands of the table server: `serve`, `verify`, `backup`, `restore`.

`add_commands` puts them into the one command. What they need beyond that is imported when they run,
so that the command starts as fast as without them.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from branchline.core.catalogue import say
from branchline.engine.errors import BranchlineError

FAILED = 1


@contextmanager
def server_packages() -> Iterator[None]:
    """Where the server is imported: a package that is missing is one of the extra `serve`."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "branchline").partition(".")[0]
        if missing == "branchline" or missing in sys.stdlib_module_names:
            raise  # a fault of ours, or of this Python
        raise BranchlineError("needs_serve") from None


def add_commands(app: typer.Typer, lang: str, **style: Any) -> None:
    """Add the commands, with their help in `lang`. `style` goes to `app.command`."""

    def t(key: str, **values: object) -> str:
        return say(f"host.{key}", lang, **values)

    def option(key: str, *names: str, metavar: str = "") -> Any:
        return typer.Option(
            *names, help=t(f"option.{key}"), show_default=False, metavar=metavar or None
        )

    def argument(key: str) -> Any:
        return typer.Argument(
            help=t(f"option.{key}"), metavar=t("metavar.file"), show_default=False
        )

    address, folder, file = t("metavar.address"), t("metavar.folder"), t("metavar.file")
    data_option = option("data", "--data", metavar=folder)
    database_option = option("database", "--database", metavar="URL")

    @app.command("serve", help=t("serve.help"), **style)
    def serve(
        host: Annotated[str | None, option("host", "--host", metavar=address)] = None,
        port: Annotated[int | None, option("port", "--port", metavar="N")] = None,
        data: Annotated[str | None, data_option] = None,
        database: Annotated[str | None, database_option] = None,
        origins: Annotated[list[str] | None, option("origin", "--origin", metavar="URL")] = None,
        proxy: Annotated[list[str] | None, option("proxy", "--proxy", metavar=address)] = None,
        boards: Annotated[list[str] | None, option("board", "--board", metavar=file)] = None,
        bots: Annotated[list[str] | None, option("bot", "--bot", metavar=t("metavar.bot"))] = None,
        workers: Annotated[int | None, option("workers", "--workers", metavar="N")] = None,
        bot_seconds: Annotated[
            float | None, option("bot_seconds", "--bot-seconds", metavar="S")
        ] = None,
        keep_waiting: Annotated[
            float | None, option("keep_waiting", "--keep-waiting", metavar=t("metavar.days"))
        ] = None,
        keep_playing: Annotated[
            float | None, option("keep_playing", "--keep-playing", metavar=t("metavar.days"))
        ] = None,
        keep_finished: Annotated[
            float | None, option("keep_finished", "--keep-finished", metavar=t("metavar.days"))
        ] = None,
        ratings: Annotated[str | None, option("ratings", "--ratings", metavar="on|off")] = None,
        webhooks: Annotated[
            str | None, option("webhooks", "--webhooks", metavar="public|any|off")
        ] = None,
        metrics: Annotated[
            str | None, option("metrics", "--metrics", metavar="local|any|off")
        ] = None,
        log_format: Annotated[
            str | None, option("log_format", "--log-format", metavar="text|json")
        ] = None,
        log_level: Annotated[
            str | None, option("log_level", "--log-level", metavar="debug|info|warning|error")
        ] = None,
        limit: Annotated[
            list[str] | None, option("limit", "--limit", metavar=t("metavar.limit"))
        ] = None,
    ) -> None:
        with server_packages():
            from branchline.service.run import run

        given = {
            "host": host,
            "port": port,
            "data": data,
            "database": database,
            "origins": origins or None,
            "proxy": proxy or None,
            "boards": boards or None,
            "bots": bots or None,
            "workers": workers,
            "bot_seconds": bot_seconds,
            "keep_waiting": keep_waiting,
            "keep_playing": keep_playing,
            "keep_finished": keep_finished,
            "ratings": ratings,
            "webhooks": webhooks,
            "metrics": metrics,
            "log_format": log_format,
            "log_level": log_level,
            "limit": limit or None,
        }
        run({name: value for name, value in given.items() if value is not None}, lang)

    @app.command("verify", help=t("verify.help"), **style)
    def verify(
        record: Annotated[str, argument("record")],
        promised: Annotated[str | None, option("promised", "--promised", metavar="SHA-256")] = None,
    ) -> None:
        from branchline.engine.verify import verify_lines

        lines, good = verify_lines(record, lang, promised)
        print("\n".join(lines))
        if not good:
            raise typer.Exit(FAILED)

    @app.command("backup", help=t("backup.help"), **style)
    def backup(
        target: Annotated[str, argument("backup")],
        force: Annotated[bool, option("force", "--force")] = False,
        data: Annotated[str | None, data_option] = None,
        database: Annotated[str | None, database_option] = None,
    ) -> None:
        with server_packages():
            from branchline.service.run import back_up

        rows = back_up({"data": data, "database": database}, target, force)
        print(t("backup.done", path=target, tables=rows["tables"], entries=rows["entries"]))

    @app.command("restore", help=t("restore.help"), **style)
    def restore(
        source: Annotated[str, argument("backup")],
        data: Annotated[str | None, data_option] = None,
        database: Annotated[str | None, database_option] = None,
    ) -> None:
        with server_packages():
            from branchline.service.run import restore_backup

        kept = restore_backup({"data": data, "database": database}, source)
        print(t("restore.done", path=source))
        if kept is not None:
            print(t("restore.kept", path=str(kept)))
