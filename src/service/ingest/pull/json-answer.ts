import { findPreset, mapOfPresets } from '../payload/presets.ts';
import { readPayload } from '../payload/read-payload.ts';
import { type AnswerItems, UnreadableAnswerError } from './provider.ts';

const NO_ITEMS: AnswerItems = {
  readings: [],
  rain: [],
  weather: [],
  devices: [],
  failedMeasurements: 0,
  rejectedValues: [],
};

interface JsonAnswer {
  readonly answer: object;
  readonly items: AnswerItems;
}

/** Reads an answer with the presets of the devices of a provider. */
export function parseJsonAnswer(
  presets: readonly string[],
  body: Uint8Array,
  now: number,
): JsonAnswer {
  const map = mapOfPresets(
    presets.map((name) => findPreset(name)),
    undefined,
  );
  const parsed = readPayload(map, { topic: null, payload: body, isAnswer: true }, now);
  if (parsed.kind === 'unreadable') throw new UnreadableAnswerError(parsed.reason.text);

  const answer: unknown = JSON.parse(new TextDecoder().decode(body));
  if (typeof answer !== 'object' || answer === null)
    throw new UnreadableAnswerError('it is not a JSON object');
  if (parsed.kind !== 'items') return { answer, items: NO_ITEMS };

  const { readings, rain, weather, devices, failedMeasurements, rejectedValues } = parsed;
  return {
    answer,
    items: { readings, rain, weather, devices, failedMeasurements, rejectedValues },
  };
}
