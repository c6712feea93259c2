import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';
import { CLOCK, type Json } from '../program.ts';
import { stdioFarm } from '../stdio-farm.ts';

const NOW = Date.parse(CLOCK);
const HOUR = 3_600_000;

/**
 * The classes in the order of the catalog: sand and clay in %, then wilting point, field capacity and saturation in
 * whole % by volume at 2.5 % organic matter. Source: Saxton & Rawls (2006), Table 3.
 */
const CLASSES = [
  ['Sand', 88, 5, 5, 10, 46],
  ['Loamy sand', 80, 5, 5, 12, 46],
  ['Sandy loam', 65, 10, 8, 18, 45],
  ['Sandy clay loam', 60, 25, 17, 27, 43],
  ['Sandy clay', 50, 40, 25, 36, 44],
  ['Loam', 40, 20, 14, 28, 46],
  ['Clay loam', 30, 35, 22, 36, 48],
  ['Clay', 25, 50, 30, 42, 50],
  ['Silt loam', 20, 15, 11, 31, 48],
  ['Silt', 10, 5, 6, 30, 48],
  ['Silty clay loam', 10, 35, 22, 38, 51],
  ['Silty clay', 10, 45, 27, 41, 52],
] as const;

const idOf = (usdaClass: string): number => CLASSES.findIndex(([name]) => name === usdaClass) + 1;
const layer = (usdaClass: string, depthTopCm: number, depthBottomCm: number) => ({
  soilHorizonId: idOf(usdaClass),
  depthTopCm,
  depthBottomCm,
});
const LOAM = layer('Loam', 0, 40);
const CLAY = layer('Clay', 40, 100);

/** What a parcel is imported with. */
const soilProfile = [
  { usdaClass: 'Sandy loam', depthTopCm: 0, depthBottomCm: 30 },
  { usdaClass: 'Clay loam', depthTopCm: 30, depthBottomCm: 90 },
];

const farm = stdioFarm({
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [
    { name: 'Declared', soilProfile },
    ...Array.from({ length: 60 }, (_, index) => ({ name: `Parcel ${index + 1}` })),
  ],
});

let store: Store;
beforeAll(async () => {
  store = await openStore({ db: farm.db });
});
afterAll(() => store?.close());

let parcelCount = 0;
/** A parcel whose soil nobody declared yet. */
const newParcelName = (): string => `Parcel ${++parcelCount}`;

const declare = (parcel: string, layers: unknown, more = {}): Promise<Json> =>
  farm.body('set_soil_profile', { parcel, layers, ...more });
const profile = async (parcel: string): Promise<Json[]> => (await farm.body('get_soil_profile', { parcel })).data;
const layerSummaries = (layers: Json[]) =>
  layers.map((each) => [each.usda_class, each.depth_top_cm, each.depth_bottom_cm]);
const horizons = async (args = {}): Promise<Json[]> => (await farm.body('list_soil_horizons', args)).data;

describe('GET soil horizons', () => {
  it('lists the twelve classes by decreasing sand content, as codes 1 to 12', async () => {
    const data = await horizons();
    expect(data.map(({ code, usda_class, sand_pct, clay_pct }) => [code, usda_class, sand_pct, clay_pct])).toEqual(
      CLASSES.map(([name, sand, clay], index) => [String(index + 1), name, sand, clay]),
    );
  });

  it('has the fields of the spec, and no other', async () => {
    for (const horizon of await horizons())
      expect(Object.keys(horizon).sort()).toEqual(
        [
          'code',
          'label',
          'usda_class',
          'theta_sat',
          'theta_fc',
          'theta_pwp',
          'sand_pct',
          'silt_pct',
          'clay_pct',
        ].sort(),
      );
  });

  it('has sand_pct, silt_pct and clay_pct whose sum is 100', async () => {
    for (const { sand_pct, silt_pct, clay_pct } of await horizons()) expect(sand_pct + silt_pct + clay_pct).toBe(100);
  });

  it.each(CLASSES)('has %s with sand %i, clay %i: theta_pwp %i, theta_fc %i, theta_sat %i %%', async (...row) => {
    const [name, , , ...percent] = row;
    const { theta_pwp, theta_fc, theta_sat } = (await horizons()).find(({ usda_class }) => usda_class === name);
    expect([theta_pwp, theta_fc, theta_sat].map((theta) => Math.round(theta * 100))).toEqual(percent);
    for (const theta of [theta_pwp, theta_fc, theta_sat]) expect(Number(theta.toFixed(4))).toBe(theta);
  });

  it('labels in the requested lang, and keeps usda_class in English', async () => {
    const [en, fr] = [await horizons({ lang: 'en' }), await horizons({ lang: 'fr' })];
    expect(fr.map(({ label: _, ...rest }) => rest)).toEqual(en.map(({ label: _, ...rest }) => rest));
    expect(en.map(({ label }) => label)).toEqual(CLASSES.map(([name]) => name));
    expect(fr[0].label).toBe('Sable');
    for (const [index, { label }] of fr.entries()) expect(label).not.toBe(en[index].label);
  });

  it('is in English by default, and in no other language than en and fr: invalid_parameter', async () => {
    expect(await horizons()).toEqual(await horizons({ lang: 'en' }));
    expect(await farm.refusal('list_soil_horizons', { lang: 'de' })).toMatchObject({
      code: 'invalid_parameter',
      field: 'lang',
    });
  });

  it.each(['en', 'fr'])('is the catalog that the resource gives in %s', async (lang) => {
    const { data } = await farm.resource(`acequia://catalog/soil-horizons?lang=${lang}`);
    expect(data).toEqual(await horizons({ lang }));
  });
});

describe('GET soil profile', () => {
  it('is an empty list when none is declared', async () => {
    expect(await farm.body('get_soil_profile', { parcel: newParcelName() })).toEqual({ data: [] });
  });

  it('answers the fields of the spec for each horizon in force, top down', async () => {
    const parcel = newParcelName();
    const { rows } = await declare(parcel, [CLAY, LOAM]);
    const [clay, loam] = rows;
    const catalog = await horizons();
    const { id: parcel_id } = (await farm.body('list_parcels', { limit: 200 })).data.find(
      ({ name }: Json) => name === parcel,
    );
    const body = (usda_class: string, { id, timestamp_start }: Json, top: number, bottom: number) => {
      const { theta_fc, theta_pwp } = catalog[idOf(usda_class) - 1];
      return {
        id,
        parcel_id,
        soil_horizon_id: idOf(usda_class),
        depth_top_cm: top,
        depth_bottom_cm: bottom,
        timestamp_start,
        horizon_name: usda_class,
        usda_class,
        theta_fc,
        theta_pwp,
      };
    };
    expect(await profile(parcel)).toEqual([body('Loam', loam, 0, 40), body('Clay', clay, 40, 100)]);
  });

  it('answers what a farm file declared', async () => {
    expect(layerSummaries(await profile('Declared'))).toEqual([
      ['Sandy loam', 0, 30],
      ['Clay loam', 30, 90],
    ]);
  });

  it('is what the resource of the parcel gives', async () => {
    expect((await farm.resource('acequia://parcels/Declared/soil-profile')).data).toEqual(await profile('Declared'));
  });

  it('without a parcel is refused: invalid_id', async () => {
    expect(await farm.refusal('get_soil_profile')).toMatchObject({ code: 'invalid_id', status: 400 });
  });

  it('of a parcel that nobody has is 404 not_found', async () => {
    expect(await farm.refusal('get_soil_profile', { parcel: '#9001' })).toMatchObject({
      code: 'not_found',
      status: 404,
    });
  });
});

describe('PUT soil profile', () => {
  it('answers success and one row per horizon written, in body order, with the ids of the soil profile read', async () => {
    const parcel = newParcelName();
    const answer = await declare(parcel, [CLAY, LOAM]);
    const [loam, clay] = await profile(parcel);
    expect(answer).toEqual({
      success: true,
      rows: [
        { id: clay.id, timestamp_start: clay.timestamp_start },
        { id: loam.id, timestamp_start: loam.timestamp_start },
      ],
    });
  });

  it('dates a horizon by its declaration', async () => {
    const [{ timestamp_start }] = (await declare(newParcelName(), [LOAM])).rows;
    expect(Date.parse(timestamp_start) - NOW).toBeGreaterThanOrEqual(0);
    expect(Date.parse(timestamp_start) - NOW).toBeLessThan(HOUR);
  });

  it('replaces the horizon that started at the same depthTop, and the others stay', async () => {
    const parcel = newParcelName();
    await declare(parcel, [LOAM, CLAY]);
    const [, clay] = await profile(parcel);
    await declare(parcel, [layer('Sandy loam', 0, 30)]);
    const after = await profile(parcel);
    expect(layerSummaries(after)).toEqual([
      ['Sandy loam', 0, 30],
      ['Clay', 40, 100],
    ]);
    expect(after[1]).toEqual(clay);
  });

  it('closes the replaced horizon when the new one is declared, and never erases it', async () => {
    const parcel = newParcelName();
    const [first] = (await declare(parcel, [LOAM])).rows;
    const [second] = (await declare(parcel, [layer('Silt', 0, 30)])).rows;
    const kept = await store.readAll((db) =>
      db
        .selectFrom('soil_layers')
        .select(['id', 'soil_horizon_id', 'started_at', 'ended_at'])
        .where('id', 'in', [first.id, second.id])
        .orderBy('id')
        .execute(),
    );
    const [begun, replaced] = [Date.parse(first.timestamp_start), Date.parse(second.timestamp_start)];
    expect(kept).toEqual([
      { id: first.id, soil_horizon_id: idOf('Loam'), started_at: begun, ended_at: replaced },
      { id: second.id, soil_horizon_id: idOf('Silt'), started_at: replaced, ended_at: null },
    ]);
  });

  it('keeps a horizon that the new one overlaps, and says which counts where', async () => {
    const parcel = newParcelName();
    await declare(parcel, [layer('Clay', 30, 100)]);
    expect(await farm.summary('set_soil_profile', { parcel, layers: [LOAM] })).toContain('Clay 30 to 100 cm overlaps');
    expect(layerSummaries(await profile(parcel))).toEqual([
      ['Loam', 0, 40],
      ['Clay', 30, 100],
    ]);
  });

  it('closes the layers that are not named with closeOthers', async () => {
    const parcel = newParcelName();
    await declare(parcel, [LOAM, CLAY]);
    await declare(parcel, [layer('Silt', 10, 60)], { closeOthers: true });
    expect(layerSummaries(await profile(parcel))).toEqual([['Silt', 10, 60]]);
  });

  it('says that a closed horizon is kept for the past', async () => {
    const parcel = newParcelName();
    await declare(parcel, [LOAM, CLAY]);
    const layers = [layer('Silt', 10, 60)];
    expect(await farm.summary('set_soil_profile', { parcel, layers, closeOthers: true })).toContain(
      'Closed, and kept for the past: Loam 0 to 40 cm, Clay 40 to 100 cm.',
    );
  });

  it.each(CLASSES)('takes the catalog code of %s as an integer in soilHorizonId', async (usdaClass) => {
    const parcel = newParcelName();
    const { code } = (await horizons()).find(({ usda_class }) => usda_class === usdaClass);
    await declare(parcel, [{ soilHorizonId: Number(code), depthTopCm: 0, depthBottomCm: 20 }]);
    expect(await profile(parcel)).toMatchObject([
      { soil_horizon_id: Number(code), usda_class: usdaClass, horizon_name: usdaClass },
    ]);
  });

  it.each<[string, unknown]>([
    ['a soil horizon that does not exist', [{ ...LOAM, soilHorizonId: 13 }]],
    ['the soil horizon 0', [{ ...LOAM, soilHorizonId: 0 }]],
    ['overlapping layers in one request', [LOAM, layer('Clay', 39, 100)]],
    ['two layers with one top', [LOAM, layer('Clay', 0, 100)]],
    ['a bottom above its top', [layer('Loam', 40, 0)]],
    ['a bottom at its top', [layer('Loam', 40, 40)]],
    ['a top above the surface', [layer('Loam', -10, 40)]],
    ['half a centimetre', [layer('Loam', 0, 40.5)]],
    ['text for a depth', [{ ...LOAM, depthTopCm: 'surface' }]],
    ['a layer without its bottom', [{ soilHorizonId: 1, depthTopCm: 0 }]],
    ['one wrong layer of two', [LOAM, layer('Clay', 100, 90)]],
    ['no layers', []],
    ['what is no layers at all', 'loam'],
    ['layers left out', undefined],
  ])('refuses %s: invalid_body with a hint, and nothing is written', async (_, layers) => {
    expect(await farm.refusal('set_soil_profile', { parcel: 'Declared', layers })).toMatchObject({
      code: 'invalid_body',
      status: 400,
      field: 'layers',
      hint: expect.stringMatching(/\w/),
    });
    expect(layerSummaries(await profile('Declared'))).toEqual(
      soilProfile.map(({ usdaClass, depthTopCm, depthBottomCm }) => [usdaClass, depthTopCm, depthBottomCm]),
    );
  });

  it('without a parcel is refused: invalid_id', async () => {
    expect(await farm.refusal('set_soil_profile', { layers: [LOAM] })).toMatchObject({
      code: 'invalid_id',
      status: 400,
    });
  });

  it('of a parcel that nobody has is 404 not_found', async () => {
    expect(await farm.refusal('set_soil_profile', { parcel: '#9001', layers: [LOAM] })).toMatchObject({
      code: 'not_found',
      status: 404,
    });
  });

  it('touches no other parcel', async () => {
    const [one, other] = [newParcelName(), newParcelName()];
    await declare(other, [CLAY]);
    await declare(one, [LOAM], { closeOthers: true });
    expect(layerSummaries(await profile(other))).toEqual([['Clay', 40, 100]]);
  });

  it('is written once under one idempotency key', async () => {
    const parcel = newParcelName();
    const once = () => declare(parcel, [LOAM], { idempotencyKey: `soil of ${parcel}` });
    const first = await once();
    expect(await once()).toEqual(first);
    expect((await profile(parcel)).map(({ id }) => id)).toEqual([first.rows[0].id]);
  });
});
