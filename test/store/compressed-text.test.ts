import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compressText, decompressText } from '../../src/store/compressed-text.ts';

/** The answer to a parcel's watering: rows that differ in their id, probe and dose. */
const parcelAnswer = (probes: number, note: string): string =>
  JSON.stringify({
    events: Array.from({ length: probes }, (_, index) => ({
      id: 100_000 + index,
      moduleId: 200 + index,
      startedAt: '2026-07-01T06:00:00.000Z',
      durationMin: 40,
      waterMm: 3.2 + (index % 7) / 10,
      configSnapshot: { installationId: 12 + (index % 5), scope: 'parcel', flowMmPerH: 4.8 },
      note,
    })),
  });

/** 2,000 characters of which no part occurs twice, so that only the rows are alike. */
const NOTE = Array.from({ length: 500 }, (_, n) => (n * 7_919).toString(36).padStart(4, '~'))
  .join('')
  .slice(0, 2_000);

describe('a compressed text', () => {
  it('is read back as it was, whatever it holds and however long it is', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom(0, 1, 500, 20_000),
        async (part, times) => {
          const json = JSON.stringify(part.repeat(times));
          expect(await decompressText(await compressText(json))).toBe(json);
        },
      ),
      { numRuns: 50 },
    ));

  it('takes a sixtieth at most where the rows of a parcel have one long note', async () => {
    const answer = parcelAnswer(300, NOTE);
    expect(answer.length / (await compressText(answer)).length).toBeGreaterThan(60);
  });

  it('is stored as it is if it is short', async () => {
    const json = JSON.stringify({ success: true });
    expect(await compressText(json)).toBe(json);
  });

  it('is read as an earlier version stored it', async () => {
    const json = parcelAnswer(20, NOTE);
    const stored = `deflate:${deflateRawSync(json).toString('base64')}`;
    expect(await decompressText(stored)).toBe(json);
  });
});
