import { findPreset, mapOfPresets } from '../../../src/service/ingest/payload/presets.ts';
import { readPayload } from '../../../src/service/ingest/payload/read-payload.ts';
import { unreadItems } from '../../../src/service/ingest/payload/unread-message.ts';
import { presetPayloads } from '../../service/ingest/preset-payloads.ts';

const NOW = Date.parse('2026-07-01T10:00:00Z');

interface PresetReader {
  readonly place: string;
  readonly read: (text: string) => unknown;
}

/** The readers of a payload that has the text at one of its places, by preset. */
export const PRESET_READERS: Readonly<Record<string, readonly PresetReader[]>> = Object.fromEntries(
  presetPayloads().map(({ preset, places }) => {
    const map = mapOfPresets([findPreset(preset)], undefined);
    const readers = places.map(({ place, payloadWith }) => ({
      place,
      read(text: string) {
        const payload = Buffer.from(payloadWith(text));
        // The limits of an answer are so high that they do not cut the text.
        const message = { topic: null, payload, isAnswer: true };
        const parsed = readPayload(map, message, NOW);
        return unreadItems({ map, message, via: preset, parsed, now: NOW });
      },
    }));
    return [preset, readers];
  }),
);
