/** Plays sounds: with the browser's synthesiser, and by the motor of a phone. */

import { calm, settings } from "$lib/settings.svelte";
import type { Sound, Voice } from "./sound";

const SILENCE = 0.0001; // an exponential ramp never gets to zero
const ATTACK = 0.006;

let context: AudioContext | undefined;
let hiss: AudioBuffer | undefined;

/** A second of noise, made once. */
function noise(audio: BaseAudioContext): AudioBuffer {
  if (hiss?.sampleRate === audio.sampleRate) return hiss;
  hiss = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const data = hiss.getChannelData(0);
  for (let k = 0; k < data.length; k++) data[k] = Math.random() * 2 - 1;
  return hiss;
}

function source(
  audio: BaseAudioContext,
  voice: Voice,
  at: number,
): [AudioScheduledSourceNode, AudioNode] {
  const end = at + voice.length;
  const glide = (pitch: AudioParam): void => {
    pitch.setValueAtTime(voice.pitch, at);
    if (voice.to !== undefined) pitch.exponentialRampToValueAtTime(voice.to, end);
  };
  if (voice.wave === "noise") {
    const [made, band] = [audio.createBufferSource(), audio.createBiquadFilter()];
    made.buffer = noise(audio);
    made.loop = true;
    band.type = "bandpass";
    glide(band.frequency);
    made.connect(band);
    return [made, band];
  }
  const tone = audio.createOscillator();
  tone.type = voice.wave;
  glide(tone.frequency);
  return [tone, tone];
}

/** Lets the voices of a sound begin at a time of the context, through a node; returns its end. */
export function schedule(
  audio: BaseAudioContext,
  out: AudioNode,
  sound: Sound,
  at: number,
): number {
  let last = at;
  for (const voice of sound.voices) {
    const begin = at + (voice.at ?? 0);
    const end = begin + voice.length;
    const [player, heard] = source(audio, voice, begin);
    const loudness = audio.createGain();
    loudness.gain.setValueAtTime(SILENCE, begin);
    loudness.gain.linearRampToValueAtTime(voice.gain, begin + (voice.attack ?? ATTACK));
    loudness.gain.exponentialRampToValueAtTime(SILENCE, end);
    heard.connect(loudness).connect(out);
    player.start(begin);
    player.stop(end);
    last = Math.max(last, end);
  }
  return last;
}

let volume: GainNode | undefined;

/** Plays a sound after so many milliseconds, as loud as the reader wants it. */
export function play(sound: Sound, wait = 0): void {
  // A browser refuses to vibrate, and complains, before the page was touched.
  const { buzz } = sound;
  if (settings.haptics && buzz && !calm() && navigator.userActivation?.hasBeenActive)
    setTimeout(() => navigator.vibrate?.([...buzz]), wait);
  if (!settings.sound || settings.volume <= 0 || typeof AudioContext === "undefined") return;
  if (!context && navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  // Before the first click the browser keeps silent, and old sounds must not come all at once.
  if (context.state !== "running") {
    void context.resume();
    if (!navigator.userActivation?.isActive) return;
  }
  volume ??= context.createGain();
  volume.connect(context.destination);
  volume.gain.value = settings.volume ** 2;
  schedule(context, volume, sound, context.currentTime + wait / 1000);
}
