/** What a sound is: a few voices, each a tone or a breath of noise. Made by the browser, no files. */

/** One voice of a sound. Times are in seconds from the sound's beginning. */
export interface Voice {
  /** A tone's shape; `noise` is a short hiss. */
  wave: OscillatorType | "noise";
  /** In hertz: a tone's pitch, or the middle of what is heard of the noise. */
  pitch: number;
  /** The pitch at the end, if it glides. */
  to?: number;
  at?: number;
  length: number;
  /** Loudness from 0 to 1. */
  gain: number;
  /** How long it takes to reach that. */
  attack?: number;
}

export interface Sound {
  voices: readonly Voice[];
  /** What a phone does at the same time: milliseconds on, off, on … */
  buzz?: readonly number[];
}

/** The same sound higher or lower, by so many semitones. */
export function transposed(sound: Sound, semitones: number): Sound {
  const factor = 2 ** (semitones / 12);
  const voices = sound.voices.map((voice) => ({
    ...voice,
    pitch: voice.pitch * factor,
    ...(voice.to === undefined ? {} : { to: voice.to * factor }),
  }));
  return { ...sound, voices };
}

/** Notes one after the other, each with a fading tail. */
export const melody = (
  pitches: readonly number[],
  step: number,
  length: number,
  gain = 0.16,
  wave: OscillatorType = "triangle",
): Voice[] =>
  pitches.map((pitch, k) => ({ wave, pitch, at: k * step, length, gain, attack: 0.015 }));
