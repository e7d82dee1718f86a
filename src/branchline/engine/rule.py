"""What a rule is: a module with a share in the state, the decisions, the events and the score.

The engine calls rules through the short, closed list of hooks below and nothing else. A rule takes
part in a hook if its `hooks` say so; which rules those are is settled once, when a game is made.
What a rule tells faces and bots about itself is data: see `engine/facts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from branchline.core.machine import i64, vec
from branchline.engine.facts import Action, Chart, Figure, Place, Row, Sentence, Values

if TYPE_CHECKING:
    from branchline.engine.game import Game
    from branchline.engine.outcome import Tally
    from branchline.engine.position import Position
    from branchline.engine.state import State
    from branchline.engine.view import View
    from branchline.engine.worlds import Secret, Worlds

# The hooks, as bits of Rule.hooks.
ON_SETUP: Final = 1  # lay out the table
ON_CARD: Final = 2  # a card that is not a train card leaves the deck
ON_TURN: Final = 4  # which actions a turn may begin with
ON_PAID: Final = 8  # the cards for a claim are chosen: may it go through at once?
ON_CLAIM: Final = 16  # a route was claimed
ON_TURN_END: Final = 32
ON_SCORE: Final = 64
ON_BORROW: Final = 128  # other seats' routes that count for a seat's tickets
ON_OVERPAY: Final = 256  # may a claim be paid with more cards than it needs?
ON_VIEW: Final = 512  # what a seat knows in addition to the visible fields
ON_TIE: Final = 1024
ON_VALUE: Final = 2048  # what bots expect of a claim in addition to its points

# What a phase is like, as bits.
PRIVATE: Final = 1  # others do not learn that this decision is open
TOGETHER: Final = 2  # several seats decide at the same time
ALWAYS_ASK: Final = 4  # asked even if only one answer is possible
AFTER_CLAIM: Final = 8  # asked by the hook `claimed`
AFTER_TURN: Final = 16  # asked by the hook `turn_ended`


class Refusal:
    """Why an action is not allowed: the rule, a reason code and the values that fill it in.

    The catalogue key is `refusals.<reason>`.
    """

    def __init__(
        self, rule: str, reason: str, values: Mapping[str, int | list[int]] | None = None
    ) -> None:
        self.rule: Final = rule
        self.reason: Final = reason
        self.values: Final[Mapping[str, int | list[int]]] = values if values is not None else {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Refusal):
            return NotImplemented
        return (
            self.rule == other.rule and self.reason == other.reason and self.values == other.values
        )

    def __hash__(self) -> int:
        return hash((self.rule, self.reason))

    def __repr__(self) -> str:
        return f"Refusal({self.rule}: {self.reason}, {self.values})"


@mypyc_attr(allow_interpreted_subclasses=True)
class Rule:
    """The base of every rule module. All hooks do nothing unless a rule says otherwise."""

    def __init__(self, name: str, cite: str, order: int, hooks: int) -> None:
        self.name: Final = name
        self.cite: Final = cite  # the rule id that refusals and score lines name
        self.order: Final = order  # in each hook, rules come in this order
        self.hooks: Final = hooks
        self.index: i64 = -1
        self.deck_cards: i64 = 0  # how many cards this rule puts into the deck
        self.display_slots: i64 = 0
        self.max_extra: i64 = 0  # how many cards more than needed it may let a claim take
        self.headline: i64 = 0  # the rules that make a board what it is are named in this order
        self.ticket_bonus: i64 = 0  # the points for completing the most tickets
        self.path_bonus: i64 = 0  # the points for the longest path
        self.claims_vary: bool = False  # what claims bring changes though the seat claims nothing
        self.train_bonus: i64 = 0  # what a spare train is worth, in hundredths of a turn

    def declare(self, game: Game) -> None:
        """Reserve fields, phases, actions and events; put facts into the game's columns."""

    def link(self, game: Game) -> None:
        """All rules have declared: look up what belongs to others."""

    def initial(self, d: vec[i64]) -> None:
        """Write what every new game starts with into the blank state."""

    def setup(self, s: State) -> None:
        """Lay out this rule's part of the table."""

    def special_card(self, s: State, card: i64) -> bool:
        """The top of the deck is not a train card: take it if it is this rule's."""
        return False

    def turn_actions(self, s: State, seat: i64) -> None:
        """Put the actions that the seat may begin its turn with."""

    def legal(self, s: State, seat: i64) -> None:
        """Put the actions of a phase that this rule owns."""

    def apply(self, s: State, seat: i64, action: i64) -> None:
        """Do a legal action of this rule's."""

    def resolve(self, s: State) -> None:
        """All seats have chosen in a phase of this rule's that they decide together."""

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        """The reason why an action of this rule's is not allowed now, if this rule has one."""
        return None

    def paid(self, s: State, seat: i64) -> bool:
        """Cards for a claim are laid down. True: this rule goes on with it."""
        return False

    def claimed(self, s: State, seat: i64, route: i64) -> bool:
        """A route was claimed. True: a decision is open, go on later."""
        return False

    def overpay(self, s: State, seat: i64, route: i64, extra: i64) -> bool:
        """Whether the seat may play this many cards more than needed on a claim."""
        return False

    def turn_ended(self, s: State, seat: i64) -> bool:
        """The seat's turn is over. True: a decision is open or the game has ended."""
        return False

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        """Repeat the change that an event of this rule's records."""
        raise NotImplementedError(self.name)

    def borrow(self, s: State, seat: i64, parent: vec[i64]) -> None:
        """Join what the seat may use of other seats' routes, for its tickets."""

    def borrowed(self, s: State, seat: i64) -> list[int]:
        """The routes that `borrow` has just chosen for the seat."""
        return []

    def score(self, s: State, tally: Tally) -> None:
        """Add this rule's points at the end of the game."""

    def tie_break(self, s: State, tally: Tally, seats: list[int]) -> list[int]:
        """Of these seats, which lead in points, those that still lead."""
        return seats

    def view(self, s: State, seat: i64, out: vec[i64], at: i64) -> None:
        """Write what the seat (-1: a spectator) knows into the part that this rule declared."""

    # --- what worlds need to know (`engine/worlds.py`) -------------------------------------------

    def restore(self, d: vec[i64]) -> None:
        """Write the hidden fields of this rule's that follow from the visible ones."""

    def unseen_cards(self, d: vec[i64], counts: vec[i64]) -> None:
        """Add the cards that this rule has put into the deck, less those that it has elsewhere.

        `counts` is by the cards' codes. Hands, the display and the discards are the engine's.
        """

    def secret(self, worlds: Worlds) -> Secret | None:
        """What this rule hides from the viewer, to be drawn in every world."""
        return None

    # --- what the rule says of itself -----------------------------------------------------------

    def write(self, action: i64) -> str:
        """The action in the text notation."""
        raise NotImplementedError(self.name)

    def facts(self, action: i64, view: View | None) -> Action:
        """The action as a value; with a view in which it is open, what it means there."""
        return Action(action, self.name, self.write(action))

    def question(self, view: View) -> Sentence | None:
        """What an open decision of this rule's is about (`actions.question.<key>`).

        None where the choices say it themselves.
        """
        return None

    def tickets_in_question(self, view: View) -> list[int]:
        """The tickets that an open decision of this rule's is about, as its actions number them."""
        return []

    def route_facts(self, route: i64) -> Values:
        """What this rule has to say of a route."""
        return {}

    def components(self) -> list[Sentence]:
        """What this rule adds to the box (`board.component.<key>`)."""
        return []

    def places(self) -> list[Place]:
        """The room that this rule needs on the drawn board."""
        return []

    def figures(self, view: View, seat: int) -> list[Figure]:
        """What this rule adds to a player's line in the table of players."""
        return []

    def rows(self, view: View) -> list[Row]:
        """What lies on the table because of this rule."""
        return []

    def charts(self, game: Game, view: View | None) -> list[Chart]:
        """What this rule scores; with a view, what it is worth now."""
        return []

    # --- what bots should know of it ------------------------------------------------------------

    def claim_values(self, p: Position, worth: vec[float]) -> None:
        """Add to each open route the points that a claim would bring the seat through this rule."""

    def payment_value(self, p: Position, route: i64, cards: i64) -> float:
        """The points that playing this many cards on the route would bring through this rule."""
        return 0.0

    def action_value(self, p: Position, action: i64) -> float:
        """What an action of this rule's is worth to the seat, in points."""
        return 0.0

    def uncertain(self, route: i64) -> bool:
        """Whether a claim of the route may fail."""
        return False

    def claim_odds(self, spare: i64) -> float:
        """The chance of an uncertain claim with this many cards more than the route's length."""
        return 1.0

    def claim_fails(self, p: Position, colour: i64, spare: i64) -> bool:
        """Whether an uncertain claim with this colour had better not be tried."""
        return False

    def extra_cards(self, action: i64) -> i64:
        """How many cards an action draws in addition to the usual ones."""
        return 0

    def extra_tickets(self, action: i64) -> i64:
        """How many tickets an action draws in addition to the usual ones."""
        return 0
