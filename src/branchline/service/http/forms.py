"""The bodies of HTTP requests. FastAPI checks them and publishes their schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=200)]
SeatNumber = Annotated[int, Field(ge=0, lt=8)]
Level = Annotated[str, Field(min_length=1, max_length=200)]


Hexadecimal = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Form(BaseModel):
    """A body: unknown fields and other types are refused, so that a mistake is noticed."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ClockForm(Form):
    """`none`, `move` or `game`; out of time, a bot plays the `move` or takes over the `seat`."""

    kind: Literal["none", "move", "game"] = "none"
    seconds: Annotated[int, Field(ge=0, le=30 * 86_400)] = 0
    timeout: Literal["move", "seat"] = "move"


class TableForm(Form):
    """A new table."""

    board: Name
    seats: Annotated[int, Field(ge=1, le=8)]
    name: Name
    bots: Annotated[list[Level | None], Field(max_length=7)] = []
    here: Annotated[list[Name | None], Field(max_length=7)] = []
    public: bool = False
    clock: ClockForm = ClockForm()
    first: SeatNumber | None = None
    pace: Annotated[int, Field(ge=0, le=10_000)] = 0
    chat: bool = True
    takes_part: bool = False


class SitForm(Form):
    """Take a seat; without a number, the first that is free."""

    name: Name
    seat: SeatNumber | None = None
    takes_part: bool = False


class PromiseForm(Form):
    """The hash of a nonce."""

    promise: Hexadecimal


class NonceForm(Form):
    nonce: Hexadecimal


class NameForm(Form):
    name: Name


class LevelForm(Form):
    level: Level


class TokenForm(Form):
    token: Annotated[str, Field(min_length=20, max_length=100)]


class ChatForm(Form):
    on: bool


class PersonForm(Form):
    """By which name one wants to be known, if any, and whether it is shown with the rating."""

    name: Annotated[str, Field(max_length=200)] = ""
    listed: bool = False


class NoticeForm(Form):
    """How to be told that it is one's turn; nothing: not at all."""

    push: dict[str, Any] | None = None
    webhook: Annotated[str, Field(max_length=500)] | None = None
