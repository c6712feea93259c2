import { describe, expect } from 'vitest';
import type { WateringPreviewBody } from '../../../src/schema/advice/farm-page.ts';
import type { ParcelWateringAnswer } from '../../../src/schema/irrigation/watering.ts';
import { depthAt, FARM_NOW, HOUR, it, minutesAt, type TestFarm } from '../../farm.ts';

const preview = (farm: TestFarm, fields: Record<string, unknown>) =>
  farm.wire<WateringPreviewBody>('preview_watering', fields);

const DRIP = {
  system: 'drip',
  flowMmPerH: 3,
  irrigatedAreaM2: 2000,
  effectiveFrom: '2026-01-01T00:00:00Z',
};
const AT = FARM_NOW - 3 * HOUR;

const volumeAt = (at: number, inputVolumeM3: number) => ({
  startedAt: new Date(at).toISOString(),
  inputMode: 'volume_m3',
  inputVolumeM3,
});

describe('preview_watering', () => {
  it.for([
    // 3 mm/h for 40 min is 2 mm, on 2,000 m2 that is 4 m3.
    [minutesAt(AT, 40), { waterMm: 2, durationMin: 40, volumeM3: 4 }],
    [depthAt(AT, 2), { waterMm: 2, durationMin: 40, volumeM3: 4 }],
    [volumeAt(AT, 4), { waterMm: 2, durationMin: 40, volumeM3: 4 }],
  ] as const)(
    'says the dose of %j that logging then enters, and writes nothing',
    async ([entry, expected], { farm }) => {
      await farm.declare('North 1', DRIP);
      const moduleId = farm.idOf('North 1');
      let answer: WateringPreviewBody | undefined;
      const isWritten = await farm.isWrittenBy(async () => {
        answer = await preview(farm, { moduleId, ...entry });
      });
      expect(isWritten).toBe(false);
      const { event, warnings } = await farm.log('North 1', entry);
      const { waterMm, waterMmWetted } = event;
      expect(answer!.waterings).toEqual([
        {
          moduleId,
          ...expected,
          waterMm,
          waterMmWetted,
          fractionWetted: 0.35,
          warnings,
          overlaps: [],
        },
      ]);
      expect(waterMm).toBe(expected.waterMm);
      expect(answer!.status).toBe('done');
    },
  );

  it('says the doses of all probes of a parcel', async ({ farm }) => {
    await farm.declare('North 1', DRIP);
    await farm.declareParcel('North block', {
      system: 'sprinkler',
      flowMmPerH: 6,
      effectiveFrom: '2026-01-01T00:00:00Z',
    });
    const parcelId = farm.idOf('North block');
    for (const entry of [minutesAt(AT, 30), volumeAt(AT, 12)]) {
      const { waterings } = await preview(farm, { parcelId, ...entry });
      const logged = await farm.wire<ParcelWateringAnswer>('log_parcel_watering', {
        parcelId,
        ...entry,
      });
      expect(
        waterings.map(({ moduleId, waterMm, warnings }) => ({ moduleId, waterMm, warnings })),
      ).toEqual(
        logged.waterings.map(({ event: { moduleId, waterMm }, warnings }) => ({
          moduleId,
          waterMm,
          warnings,
        })),
      );
      expect(waterings).toHaveLength(3);
    }
  });

  it('names the waterings of the probe at the same time', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutesAt(AT, 60));
    const moduleId = farm.idOf('North 1');
    const { waterings } = await preview(farm, { moduleId, ...minutesAt(AT + HOUR / 2, 60) });
    expect(waterings[0]!.overlaps).toEqual([
      { id: event.id, startedAt: event.startedAt, status: 'done' },
    ]);
    expect(
      (await preview(farm, { moduleId, ...minutesAt(AT + HOUR, 60) })).waterings[0]!.overlaps,
    ).toEqual([]);
  });

  it('refuses what logging refuses, and a target that is neither one probe nor one parcel', async ({
    farm,
  }) => {
    const [moduleId, parcelId] = [farm.idOf('North 1'), farm.idOf('North block')];
    const later = minutesAt(FARM_NOW + HOUR, 30, { status: 'done' });
    await expect(preview(farm, { moduleId, ...later })).rejects.toMatchObject({
      code: 'INVALID_STATUS',
    });
    await expect(preview(farm, minutesAt(AT, 30))).rejects.toMatchObject({
      code: 'INVALID_TARGET',
    });
    await expect(preview(farm, { moduleId, parcelId, ...minutesAt(AT, 30) })).rejects.toMatchObject(
      {
        code: 'INVALID_TARGET',
      },
    );
    await expect(
      preview(farm, { moduleId, startedAt: '2026-07-01T06:00:00Z', inputMode: 'duration' }),
    ).rejects.toMatchObject({
      code: 'MISSING_DURATION',
    });
  });
});
