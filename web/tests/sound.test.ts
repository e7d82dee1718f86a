import { expect, test } from "vitest";
import type { EntryInfo } from "../src/lib/api/messages";
import { momentsOf } from "../src/lib/sound/moments";
import { schedule } from "../src/lib/sound/player";
import { melody, transposed } from "../src/lib/sound/sound";
import { CARD, JOINED, WAGON } from "../src/lib/sound/sounds";
import { LEAD_LOST, LEAD_TAKEN, PLACED } from "../src/lib/rules/province_mat/sounds";
import { board } from "./board";

/** An audio context that only notes what it is told. */
function fakeAudio() {
  const told: string[] = [];
  const param = (name: string) => ({
    setValueAtTime: (value: number, at: number) => told.push(`${name} ${value} at ${at}`),
    linearRampToValueAtTime: (value: number, at: number) =>
      told.push(`${name} to ${value} at ${at}`),
    exponentialRampToValueAtTime: (value: number, at: number) =>
      told.push(`${name} fades to ${value} at ${at}`),
  });
  const node = (name: string) => ({
    connect: (to: unknown) => to,
    start: (at: number) => told.push(`${name} starts at ${at}`),
    stop: (at: number) => told.push(`${name} stops at ${at}`),
    frequency: param("pitch"),
    gain: param("gain"),
  });
  const audio = {
    sampleRate: 8,
    createBuffer: () => ({ sampleRate: 8, getChannelData: () => new Float32Array(8) }),
    createBufferSource: () => node("noise"),
    createBiquadFilter: () => node("band"),
    createOscillator: () => node("tone"),
    createGain: () => node("gain"),
  };
  return {
    told,
    audio: audio as unknown as BaseAudioContext,
    out: node("out") as unknown as AudioNode,
  };
}

test("the voices of a sound begin and end when they should", () => {
  const { audio, out, told } = fakeAudio();
  const sound = { voices: melody([440, 880], 0.25, 0.5, 0.2) };
  expect(schedule(audio, out, sound, 10)).toBe(10.75);
  expect(told.filter((line) => line.startsWith("tone"))).toEqual([
    "tone starts at 10",
    "tone stops at 10.5",
    "tone starts at 10.25",
    "tone stops at 10.75",
  ]);
  expect(told).toContain("pitch 880 at 10.25");
  expect(told.filter((line) => line.startsWith("gain to 0.2"))).toHaveLength(2);
});

test("noise is heard through a band, and nothing begins louder than silence", () => {
  const { audio, out, told } = fakeAudio();
  schedule(audio, out, CARD, 0);
  expect(told.filter((line) => line === "noise starts at 0")).toHaveLength(1);
  expect(told.filter((line) => /^gain 0.0001 at/.test(line))).toHaveLength(CARD.voices.length);
});

test("a sound an octave higher has twice the pitch", () => {
  expect(transposed(WAGON, 12).voices.map(({ pitch }) => pitch)).toEqual(
    WAGON.voices.map(({ pitch }) => pitch * 2),
  );
});

const scene = { board, me: 0, before: {}, after: {} };
const entry = (event: string, values: Record<string, number> = {}): EntryInfo => ({
  ...{ number: 1, at: 0, kind: "moved", seat: 0 },
  events: [{ event, seat: 0, text: "", values }],
});

test("a train is heard wagon by wagon, as many as the route has spaces", () => {
  const route = board.route_list.findIndex(({ length }) => length > 1);
  const moments = momentsOf(entry("RouteClaimed", { route, points: 4 }), scene);
  expect(moments).toHaveLength(board.route_list[route]?.length ?? 0);
  const times = moments.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length);
});

test("an event that nothing knows makes no sound, and what follows waits for what was shown", () => {
  expect(momentsOf(entry("SomethingNew"), scene)).toEqual([]);
  const two = entry("CardTaken");
  two.events = [...(two.events ?? []), ...(two.events ?? [])];
  const [first, second] = momentsOf(two, scene);
  expect(first?.at).toBe(0);
  expect(second?.at).toBeGreaterThan(0);
});

test("the mat tells a lead that was won from one that was lost", () => {
  const rules = [{ rule: "province_mat", lines: [{ colour: "red", spots: [1, 2] }], scoring: {} }];
  const mat = { ...board, rule_list: rules };
  const placed = entry("TrainPlacedOnMat", { line: 0, spot: 2 });
  const heard = (me: number, before: number[], after: number[]) =>
    momentsOf(placed, {
      ...{ board: mat, me },
      before: { mat: [0, 0], mat_ranks: before },
      after: { mat: [0, 0], mat_ranks: after },
    }).map(({ sound }) => sound);
  expect(heard(0, [1, 2], [1, 2])).toEqual([PLACED]);
  expect(heard(0, [1, 2], [2, 1])).toEqual([LEAD_LOST]);
  expect(heard(1, [1, 2], [2, 1])).toEqual([LEAD_TAKEN]);
});

test("joining a ticket is felt as well", () => {
  expect(JOINED.buzz?.length).toBeGreaterThan(0);
});
