/** All rules that the page has something to show for: each folder here is one. */

import type { Drawing } from "$lib/api/drawing";
import type { BoardFacts } from "$lib/api/facts";
import type {
  DecisionSheet,
  EventDisplay,
  Landmark,
  Panel,
  PhaseDisplay,
  RuleDisplay,
  ScoreDisplay,
  Situation,
  StripPart,
  TurnAction,
} from "./rule";

const folders = import.meta.glob<RuleDisplay>("./*/index.ts", { eager: true, import: "default" });

export const RULES: readonly RuleDisplay[] = Object.values(folders);

/** The rules of a board. */
export const rulesOf = (board: BoardFacts | null): RuleDisplay[] =>
  RULES.filter(({ rule }) => rule === undefined || board?.rules.includes(rule));

const merged = <T>(part: (rule: RuleDisplay) => Record<string, T> | undefined): Record<string, T> =>
  Object.assign({}, ...RULES.map(part)) as Record<string, T>;

const EVENTS = merged<EventDisplay>(({ events }) => events);
const SCORES = merged<ScoreDisplay>(({ scores }) => scores);
const PHASES = merged<PhaseDisplay>(({ phases }) => phases);

export const eventDisplay = (event: string): EventDisplay => EVENTS[event] ?? {};
export const scoreDisplay = (what: string): ScoreDisplay => SCORES[what] ?? {};
export const phaseDisplay = (phase: string): PhaseDisplay => PHASES[phase] ?? {};

/** Sheets for choices of tickets. */
export const SHEETS: readonly DecisionSheet[] = RULES.flatMap(({ decisions }) => decisions ?? []);

/** Parts of the claim strip for kinds of decisions. */
export const PARTS: readonly StripPart[] = RULES.flatMap(({ parts }) => parts ?? []);

/** Kinds of offers that are chosen by a city of the board. */
export const IN_CITIES: ReadonlySet<string> = new Set(RULES.flatMap((rule) => rule.inCities ?? []));

/** Kinds of offers that the table itself has a place for. */
const ON_THE_TABLE = ["claim", "take", "draw", "tickets"];

/** Kinds of offers that have a place on the table whenever they are offered. */
export const PLACED: ReadonlySet<string> = new Set([
  ...ON_THE_TABLE,
  ...RULES.flatMap(({ actions }) => (actions ?? []).flatMap(({ kinds }) => kinds)),
]);

/** Points that the reader has in addition to those of routes and tickets. */
export const heldPoints = (situation: Situation): number =>
  rulesOf(situation.board).reduce((sum, { held }) => sum + (held?.(situation) ?? 0), 0);

/** Remarks below the reader's open tickets. */
export const ticketNotes = (situation: Situation): string[] =>
  rulesOf(situation.board).flatMap(({ ticketNote }) => ticketNote?.(situation) ?? []);

/** What explains itself on the board. */
export const landmarksOf = (situation: Situation, drawing: Drawing): Landmark[] =>
  rulesOf(situation.board).flatMap(({ landmarks }) => landmarks?.(situation, drawing) ?? []);

/** What can be done in a turn in addition to cards, routes and tickets. */
export const actionsOf = (board: BoardFacts | null): TurnAction[] =>
  rulesOf(board).flatMap(({ actions }) => actions ?? []);

/** The panels at the side of the table. */
export const panelsOf = (board: BoardFacts | null, seated: boolean): (Panel & { rule: string })[] =>
  rulesOf(board).flatMap(({ rule = "", panel }) =>
    panel && (seated || !panel.seated) ? [{ rule, ...panel }] : [],
  );
