import { describe, expect } from 'vitest';
import { AcequiaError } from '../../../src/schema/error.ts';
import { withEmitterDensity } from '../../../src/service/irrigation/installation-entry.ts';
import { advisoriesOf, bodyOf, DAY, FARM_NOW, HOUR, iso, it, minutesAt } from '../../farm.ts';
import { renderText } from '../../language/render-text.ts';

const FIRST = '1970-01-01T00:00:00.000Z';
const drip = { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 };

describe('the spacing of emitters', () => {
  const spaced = { system: 'drip', emitterFlowLph: 1.6, emitterSpacingM: 0.4, lineSpacingM: 2.5 };

  it('gives the density: 1 / (0.4 m x 2.5 m) is 1 emitter per m2, so 1.6 L/h are 1.6 mm/h', async ({
    farm,
  }) => {
    const { installation } = await farm.declare('North 1', spaced);
    expect(installation).toMatchObject({ emittersPerM2: 1, flowMmPerH: 1.6 });
    expect(installation).toMatchObject({ emitterSpacingM: 0.4, lineSpacingM: 2.5 });
    const version = { id: installation!.id };
    const thirds = { emitterSpacingM: 0.3, lineSpacingM: 1 };
    expect(await farm.correctVersion(version, thirds)).toMatchObject({
      emittersPerM2: 3.33333,
      flowMmPerH: 5.333328,
      ...thirds,
    });
    const byDensity = await farm.correctVersion(version, { emittersPerM2: 2 });
    expect(byDensity).not.toHaveProperty('lineSpacingM');
  });

  it('may come with the rounded density that it gives', async ({ farm }) => {
    const both = { ...spaced, emitterSpacingM: 0.3, lineSpacingM: 1, emittersPerM2: 3.3 };
    expect((await farm.declare('North 1', both)).installation).toMatchObject({
      emittersPerM2: 3.3,
    });
  });

  it.for<[fields: Record<string, unknown>, field: string]>([
    [{ lineSpacingM: undefined }, 'lineSpacingM'],
    [{ emitterSpacingM: undefined }, 'emitterSpacingM'],
    [{ emittersPerM2: 2 }, 'emitterSpacingM'],
    [{ emitterSpacingM: 40, lineSpacingM: 250 }, 'emitterSpacingM'],
    [{ emitterSpacingM: 0.01, lineSpacingM: 0.01 }, 'emitterSpacingM'],
    [{ emitterSpacingM: 0 }, 'emitterSpacingM'],
    [{ lineSpacingM: 'wide' }, 'lineSpacingM'],
  ])('is refused with %o: INVALID_EMITTER_DENSITY', async ([fields, field], { farm }) => {
    const refusal = { code: 'INVALID_EMITTER_DENSITY', field };
    const equipment = { ...spaced, ...fields };
    await expect(farm.declareUnasked('North 1', equipment)).rejects.toMatchObject(refusal);
    await expect(
      farm.wire('set_parcel_installation', { parcelId: farm.idOf('North block'), ...equipment }),
    ).rejects.toMatchObject(refusal);
  });

  it('is refused with the unit of its limits, which programs know', () => {
    const spacing = '0.01 m x 0.01 m is 10000 emitters per m2; it must be from 0.001 to 1000';
    const messages: (readonly [program: string, person: string])[] = [];
    try {
      withEmitterDensity({ emitterSpacingM: 0.01, lineSpacingM: 0.01 });
    } catch (error) {
      if (!(error instanceof AcequiaError)) throw error;
      messages.push([error.message, renderText(error.texts.message)]);
    }
    expect(messages).toEqual([[`${spacing}.`, `${spacing} emitters per m2.`]]);
  });
});

describe('the setup of a module', () => {
  it('is answered within the irrigation configuration', async ({ farm }) => {
    const { installation, moduleId, parcelId } = await farm.declare('North 1', drip);
    expect({ moduleId, parcelId }).toEqual({
      moduleId: farm.idOf('North 1'),
      parcelId: farm.idOf('North block'),
    });
    expect(installation).toMatchObject({ system: 'drip', flowMmPerH: 3.2, fractionWetted: 0.35 });
  });

  it('has 13 fields, and its versions two more: notes and setAt', async ({ farm }) => {
    const { installation, versions } = await farm.declare('North 1', drip);
    const fields = Object.keys(installation!);
    expect(fields).toHaveLength(13);
    expect(Object.keys(versions[0]!).sort()).toEqual([...fields, 'notes', 'setAt'].sort());
  });

  it('is refused with emitter figures beyond any equipment: INVALID_FLOW_RATE', async ({
    farm,
  }) => {
    const perTree = { system: 'drip', emitterFlowLph: 2, emittersPerM2: 501 };
    await expect(farm.declareUnasked('North 1', perTree)).rejects.toMatchObject({
      code: 'INVALID_FLOW_RATE',
      field: 'emittersPerM2',
    });
    expect((await farm.setup('North 1')).versions).toEqual([]);
  });

  it('keeps an entered wetted fraction, and shows the default', async ({ farm }) => {
    const { installation, defaultFractionWetted } = await farm.declare('North 1', {
      ...drip,
      fractionWetted: 0.5,
    });
    expect(installation).toMatchObject({ fractionWetted: 0.5, fractionWettedIsDefault: false });
    expect(defaultFractionWetted).toBe(0.35);
  });

  it('starts in 1970 without a date if it is the first', async ({ farm }) => {
    expect((await farm.declare('North 1', drip)).installation).toMatchObject({
      validFrom: FIRST,
      validTo: null,
    });
  });

  it('starts now without a date if it is not the first', async ({ farm }) => {
    await farm.declare('North 1', drip);
    farm.now += DAY;
    expect((await farm.declare('North 1', drip)).installation!.validFrom).toBe(iso(FARM_NOW + DAY));
  });

  it('starts now without a date if the parcel has a setup', async ({ farm }) => {
    await farm.declareParcel('North block', drip);
    expect((await farm.declare('North 1', drip)).installation).toMatchObject({
      scope: 'module',
      validFrom: iso(FARM_NOW),
    });
  });

  it('starts at effectiveFrom, also if it is the first', async ({ farm }) => {
    const { installation } = await farm.declare('North 1', {
      ...drip,
      effectiveFrom: '2026-05-01 08:00',
    });
    expect(installation!.validFrom).toBe('2026-05-01T06:00:00.000Z');
  });

  it('has the period of a past version', async ({ farm }) => {
    await farm.declare('North 1', { ...drip, effectiveFrom: '2026-06-30 08:00' });
    const past = await farm.declare('North 1', {
      system: 'pivot',
      flowMmPerH: 5,
      effectiveFrom: '2026-06-20 08:00',
    });
    expect(past.installation).toMatchObject({ system: 'drip', validTo: null });
    expect(advisoriesOf(past, 'past_version')).toMatchObject([
      { from: Date.UTC(2026, 5, 20, 6), to: Date.UTC(2026, 5, 30, 6) },
    ]);
  });

  it('counts the recorded doses in its period', async ({ farm }) => {
    await farm.declare('North 1', { system: 'sprinkler', flowMmPerH: 2 });
    const minutes = { inputMode: 'duration', durationMin: 60 };
    for (const days of [1, 2, 9])
      await farm.log('North 1', { ...minutes, startedAt: iso(FARM_NOW - days * DAY) });
    const changed = { system: 'sprinkler', flowMmPerH: 9, effectiveFrom: iso(FARM_NOW - 5 * DAY) };
    expect(
      advisoriesOf(await farm.declare('North 1', changed), 'recorded_doses_unchanged'),
    ).toMatchObject([{ count: 2 }]);
  });

  it('has the time of its entry beside its start', async ({ farm }) => {
    const { versions } = await farm.declare('North 1', {
      ...drip,
      effectiveFrom: iso(FARM_NOW - DAY),
      notes: 'new line',
    });
    expect(versions[0]).toMatchObject({
      validFrom: iso(FARM_NOW - DAY),
      setAt: iso(FARM_NOW),
      notes: 'new line',
    });
  });

  it('completes waterings without a dose', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutesAt(FARM_NOW - HOUR, 45));
    const declared = await farm.declare('North 1', drip);
    expect(await farm.watering(event.id)).toMatchObject({ waterMm: 2.4, waterMmWetted: 6.857 });
    expect(advisoriesOf(declared, 'doses_completed')).toMatchObject([{ count: 1 }]);
  });

  it.for([
    ['INVALID_SYSTEM', { system: 'flood' }, 'system'],
    ['INVALID_SYSTEM', { system: undefined }, 'system'],
    ['INVALID_EMITTER_FLOW', { emitterFlowLph: 0 }, 'emitterFlowLph'],
    ['INVALID_EMITTER_FLOW', { emitterFlowLph: 1e-300 }, 'emitterFlowLph'],
    ['INVALID_EMITTER_FLOW', { emitterFlowLph: -1.6 }, 'emitterFlowLph'],
    ['INVALID_EMITTER_FLOW', { emitterFlowLph: 10_000.1 }, 'emitterFlowLph'],
    ['INVALID_EMITTER_FLOW', { emitterFlowLph: 'a lot' }, 'emitterFlowLph'],
    ['INVALID_EMITTER_DENSITY', { emittersPerM2: 0 }, 'emittersPerM2'],
    ['INVALID_EMITTER_DENSITY', { emittersPerM2: 1000.1 }, 'emittersPerM2'],
    ['INVALID_FLOW_RATE', { emittersPerM2: undefined, flowMmPerH: 0.0009 }, 'flowMmPerH'],
    ['INVALID_FLOW_RATE', { emitterFlowLph: undefined, flowMmPerH: 1000.1 }, 'flowMmPerH'],
    ['INVALID_FRACTION_WETTED', { fractionWetted: 0 }, 'fractionWetted'],
    ['INVALID_FRACTION_WETTED', { fractionWetted: -0.2 }, 'fractionWetted'],
    ['INVALID_FRACTION_WETTED', { fractionWetted: 1.01 }, 'fractionWetted'],
    ['INVALID_FRACTION_WETTED', { fractionWetted: 135 }, 'fractionWetted'],
    ['INVALID_IRRIGATED_AREA', { irrigatedAreaM2: 1e-300 }, 'irrigatedAreaM2'],
    ['INVALID_IRRIGATED_AREA', { irrigatedAreaM2: 0.009 }, 'irrigatedAreaM2'],
    ['INVALID_IRRIGATED_AREA', { irrigatedAreaM2: 10_000_001 }, 'irrigatedAreaM2'],
    ['INVALID_EFFECTIVE_FROM', { effectiveFrom: '2026-02-30 06:00' }, 'effectiveFrom'],
    ['INVALID_EFFECTIVE_FROM', { effectiveFrom: 'some day' }, 'effectiveFrom'],
    ['EFFECTIVE_FROM_IN_FUTURE', { effectiveFrom: '2026-07-02 06:00' }, 'effectiveFrom'],
  ] as const)('is refused with %s for %o', async ([code, fields, field], { farm }) => {
    for (const target of [
      { tool: 'set_module_installation', module: 'North 1' },
      { tool: 'set_parcel_installation', parcel: 'North block' },
    ]) {
      const { tool, ...named } = target;
      await expect(farm.tool(tool, { ...named, ...drip, ...fields })).rejects.toMatchObject({
        code,
        field,
        status: 400,
      });
    }
    expect((await farm.setup('North 1')).versions).toEqual([]);
  });

  it.for([
    { emitterFlowLph: 10_000, emittersPerM2: 0.01 },
    { emittersPerM2: 1000 },
    { flowMmPerH: 1000 },
    { flowMmPerH: 0.001, irrigatedAreaM2: 0.01, fractionWetted: 0.0004 },
    { fractionWetted: 0.0000004 },
    { irrigatedAreaM2: 10_000_000 },
    { fractionWetted: 1 },
  ])('accepts the limits: %o', async (fields, { farm }) => {
    expect(
      (await farm.declareUnasked('North 1', { system: 'drip', ...fields })).installation,
    ).toMatchObject(fields);
  });

  it.for<Record<string, unknown>>([
    { ...drip, flowMmPerH: -5 },
    { ...drip, flowMmPerH: 5000 },
    { ...drip, flowMmPerH: 'unknown' },
    { ...drip, emittersPerM2: null, emitterSpacingM: 0.5, lineSpacingM: 1, flowMmPerH: 0 },
  ])('ignores a rate beside both figures of emitters: %o', async (fields, { farm }) => {
    const parcelId = farm.idOf('North block');
    await farm.wire('set_parcel_installation', { parcelId, ...fields });
    const { emittersPerM2, ...ofTool } = fields;
    const { installation } = await farm.declare('North 1', {
      ...ofTool,
      emittersPerM2: emittersPerM2 ?? undefined,
    });
    expect(installation).toMatchObject({ flowMmPerH: 3.2 });
    const inParcel = await farm.tool('get_irrigation_setup', { parcel: 'North block' });
    expect(inParcel.installation).toMatchObject({ flowMmPerH: 3.2 });
    expect(
      await farm.correctVersion(installation!, { ...drip, emitterFlowLph: 2, flowMmPerH: -1 }),
    ).toMatchObject({ flowMmPerH: 4 });
  });

  it('is refused if a version of the probe starts at that instant: INSTALLATION_VERSION_EXISTS_AT_DATE', async ({
    farm,
  }) => {
    await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) });
    await expect(
      farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) }),
    ).rejects.toMatchObject({
      code: 'INSTALLATION_VERSION_EXISTS_AT_DATE',
      status: 400,
      hint: expect.stringContaining('correct_installation'),
    });
  });

  it('may start at the instant of a version of the parcel', async ({ farm }) => {
    await farm.declareParcel('North block', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) });
    const { versions } = await farm.declare('North 1', {
      ...drip,
      effectiveFrom: iso(FARM_NOW - DAY),
    });
    expect(versions.map(({ scope }) => scope)).toEqual(['module', 'parcel']);
  });
});

describe('the setup of a parcel', () => {
  it('is answered with success only', async ({ farm }) => {
    const body = bodyOf(await farm.declareParcel('North block', drip));
    expect(body).toEqual({ success: true });
  });

  it('applies to every probe of the parcel without a setup of its own', async ({ farm }) => {
    await farm.declare('North 1', { system: 'pivot' });
    await farm.declareParcel('North block', drip);
    const systems = [];
    for (const name of ['North 1', 'North 2', 'North 3', 'South 1'])
      systems.push((await farm.setup(name)).installation?.system ?? null);
    expect(systems).toEqual(['pivot', 'drip', 'drip', null]);
  });

  it('starts in 1970 without a date if it is the first of the parcel, even if a probe has one', async ({
    farm,
  }) => {
    await farm.declare('North 1', drip);
    await farm.declareParcel('North block', drip);
    expect((await farm.setup('North 2')).installation).toMatchObject({
      scope: 'parcel',
      validFrom: FIRST,
    });
  });

  it('starts now without a date if it is not the first, and ends the one before', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', drip);
    farm.now += DAY;
    await farm.declareParcel('North block', { system: 'pivot' });
    const { versions } = await farm.setup('North 2');
    expect(versions.map(({ validFrom, validTo }) => [validFrom, validTo])).toEqual([
      [iso(FARM_NOW + DAY), null],
      [FIRST, iso(FARM_NOW + DAY)],
    ]);
  });

  it('completes waterings of all its probes, and of no other', async ({ farm }) => {
    const entry = minutesAt(FARM_NOW - HOUR, 45);
    for (const name of ['North 1', 'North 2', 'South 1']) await farm.log(name, entry);
    const declared = await farm.declareParcel('North block', drip);
    const doses = Object.fromEntries(
      (await farm.waterings()).map((each) => [each.moduleId, each.waterMm]),
    );
    expect(doses).toEqual({
      [farm.idOf('North 1')]: 2.4,
      [farm.idOf('North 2')]: 2.4,
      [farm.idOf('South 1')]: null,
    });
    expect(advisoriesOf(declared, 'doses_completed')).toMatchObject([{ count: 2 }]);
  });

  it('has its start, and the probes that it reaches', async ({ farm }) => {
    const setupOf = async (parcel: string, equipment: Record<string, unknown>) =>
      advisoriesOf(await farm.declareParcel(parcel, equipment), 'parcel_setup');
    await farm.declare('North 1', drip);
    expect(await setupOf('North block', drip)).toMatchObject([
      { from: 0, reached: ['North 2', 'North 3'], own: ['North 1'] },
    ]);
    expect(await setupOf('Fallow', drip)).toMatchObject([{ reached: [], own: [] }]);
    expect(await setupOf('South block', drip)).toMatchObject([{ from: 0, reached: ['South 1'] }]);
    const later = { ...drip, effectiveFrom: iso(FARM_NOW - HOUR) };
    expect(await setupOf('South block', later)).toMatchObject([
      { from: FARM_NOW - HOUR, reached: ['South 1'] },
    ]);
  });

  it('is refused if a version of the parcel starts at that instant: INSTALLATION_VERSION_EXISTS_AT_DATE', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) });
    await expect(
      farm.declareParcel('North block', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) }),
    ).rejects.toMatchObject({ code: 'INSTALLATION_VERSION_EXISTS_AT_DATE' });
  });
});

describe('the same equipment declared twice', () => {
  const drip = { system: 'drip', emitterFlowLph: 2, emittersPerM2: 1 };

  it('is a new version, which equals the one before', async ({ farm }) => {
    const declare = (equipment: Record<string, unknown>) =>
      farm.declareParcel('North block', equipment);
    expect(advisoriesOf(await declare(drip), 'same_equipment')).toEqual([]);
    farm.now += HOUR;
    expect(advisoriesOf(await declare(drip), 'same_equipment')).toMatchObject([{ from: 0 }]);
    farm.now += HOUR;
    const other = { ...drip, emitterFlowLph: 4 };
    expect(advisoriesOf(await declare(other), 'same_equipment')).toEqual([]);
  });

  it('is named where only the second version is corrected', async ({ farm }) => {
    const { installation } = await farm.declare('North 1', drip);
    const { id } = installation!;
    farm.now += HOUR;
    const again = await farm.declare('North 1', drip);
    expect(advisoriesOf(again, 'same_equipment')).toMatchObject([{ id }]);
    const corrected = await farm.correctVersion(again.installation!, { emitterFlowLph: 4 });
    expect(advisoriesOf(corrected, 'equal_version_before')).toMatchObject([{ id }]);
  });
});
