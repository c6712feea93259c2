import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../../src/domain/periods.ts';
import type { AdviceBody } from '../../../../src/schema/advice/advice.ts';
import { bodyOf, toolsForFile } from '../../mcp-session.ts';
import { CLOCK, type Json } from '../../program.ts';
import { simulatedSoil } from './simulated-soil.ts';
import { type Situation, situationFarm } from './situation-farm.ts';

const depthsCm = [10, 30, 50];

const drawn = (fill: 'threshold1' | 'threshold2', value: number) =>
  ['create_annotation', { type: 'h-line', unit: 'vwc', value, style: { fill } }] as const;

/** In loam, with both lines drawn, at a known place. */
const probe = (name: string, seed: number): Situation => ({
  name,
  moisture: simulatedSoil({ depthsCm, wettest: 26, driest: 20, seed }),
  module: { location: { lat: 43.6, lon: 3.9, source: 'manual' } },
  calls: [drawn('threshold1', 28), drawn('threshold2', 14)],
});

const PROBES = ['To sand', 'Across the field', 'Renamed', 'Corrected', 'First parcel'];

describe('a probe that is moved', () => {
  /** So long after the lines were drawn. */
  let callAfter: (hours: number, tool: string, args: Json) => Promise<Json>;
  const adviceAfter = async (hours: number, module: string) =>
    (await callAfter(hours, 'advise_watering', { module })) as unknown as AdviceBody & {
      summary: string;
    };

  beforeAll(async () => {
    const { db } = await situationFarm(PROBES.map(probe), {
      parcels: [
        {
          name: 'Sand',
          type: 'olive',
          soilProfile: [{ usdaClass: 'Sand', depthTopCm: 0, depthBottomCm: 100 }],
        },
      ],
    });
    callAfter = async (hours, tool, args) => {
      const clock = new Date(Date.parse(CLOCK) + hours * HOUR_MS).toISOString();
      return bodyOf(await (await toolsForFile(db, { clock }))(tool, args));
    };
  });

  it('has its lines and settings named, and no amount by them', async () => {
    const moved = await callAfter(1, 'set_module', { name: 'To sand', parcel: 'Sand' });
    expect(moved.summary).toMatch(
      /keeps the field capacity drawn at 28 %, the wilting point drawn at 14 % and its own settings \(root depth\)/,
    );
    expect(moved.next).toContain('create_annotation');

    const advice = await adviceAfter(2, 'To sand');
    expect(advice.reasons).toEqual(
      expect.arrayContaining(['FIELD_CAPACITY_IN_DOUBT', 'WILTING_POINT_IN_DOUBT']),
    );
    expect(advice.durationMin).toBeNull();
    expect(advice.summary).toMatch(
      /drawn at 28 %, but that was drawn where the probe stood before: check it, and move it or draw it again/,
    );
  });

  it('is asked about once: a line drawn anew, or at the same height, counts', async () => {
    await callAfter(3, 'create_annotation', { module: 'To sand', ...drawn('threshold1', 12)[1] });
    const half = await adviceAfter(4, 'To sand');
    expect(half.reasons).not.toContain('FIELD_CAPACITY_IN_DOUBT');
    expect(half.reasons).toContain('WILTING_POINT_IN_DOUBT');

    await callAfter(5, 'set_module', {
      name: 'Across the field',
      latitude: 43.602,
      longitude: 3.9,
    });
    expect((await adviceAfter(6, 'Across the field')).durationMin).toBeNull();
    for (const [, line] of [drawn('threshold1', 28), drawn('threshold2', 14)])
      await callAfter(7, 'create_annotation', { module: 'Across the field', ...line });
    const kept = await adviceAfter(8, 'Across the field');
    expect(kept.doubtedLines).toBeUndefined();
    expect(kept.durationMin).toBeGreaterThan(0);
  });

  it('is not one that was renamed, or whose position is corrected by metres', async () => {
    const renamed = await callAfter(1, 'set_module', { name: 'Renamed', newName: 'By the road' });
    const corrected = await callAfter(1, 'set_module', {
      name: 'Corrected',
      latitude: 43.6002,
      longitude: 3.9001,
    });
    for (const { summary } of [renamed, corrected]) expect(summary).not.toContain('keeps');
    for (const name of ['By the road', 'Corrected']) {
      const { doubtedLines, durationMin } = await adviceAfter(2, name);
      expect([name, doubtedLines, (durationMin ?? 0) > 0]).toEqual([name, undefined, true]);
    }
  });

  it('is back where it was after an undo', async () => {
    await callAfter(1, 'set_module', { name: 'First parcel', parcel: 'Sand' });
    expect((await adviceAfter(2, 'First parcel')).durationMin).toBeNull();
    await callAfter(3, 'undo', {});
    expect((await adviceAfter(4, 'First parcel')).doubtedLines).toBeUndefined();
  });
});
