import { describe, expect } from 'vitest';
import { LANGS } from '../../../src/domain/lang.ts';
import { SOIL_HORIZONS } from '../../../src/domain/soil/soil-catalog.ts';
import { languageOf } from '../../../src/language/index.ts';
import type { SoilHorizonBody, SoilProfileLayerBody } from '../../../src/schema/soil/soil.ts';
import { layersOfModule } from '../../../src/store/soil/soil-layers.ts';
import { type Advised, advisoriesOf, FARM_NOW, HOUR, iso, it, type TestFarm } from '../../farm.ts';

const PARCEL = 'North block';

const horizon = (usdaClass: string) => SOIL_HORIZONS.find((each) => each.usdaClass === usdaClass)!;
const layer = (usdaClass: string, depthTopCm: number, depthBottomCm: number) => ({
  soilHorizonId: horizon(usdaClass).id,
  depthTopCm,
  depthBottomCm,
});
const LOAM = layer('Loam', 0, 40);
const CLAY = layer('Clay', 40, 100);

interface DeclaredProfile {
  readonly success: boolean;
  readonly rows: { id: number; timestamp_start: string }[];
}
const declare = (farm: TestFarm, layers: unknown, more = {}) =>
  farm.tool<DeclaredProfile>('set_soil_profile', { parcel: PARCEL, layers, ...more });
const profile = async (farm: TestFarm, parcel = PARCEL) =>
  (await farm.tool<{ data: SoilProfileLayerBody[] }>('get_soil_profile', { parcel })).data;
const shape = (layers: readonly SoilProfileLayerBody[]) =>
  layers.map((each) => [each.usda_class, each.depth_top_cm, each.depth_bottom_cm]);

const history = async (farm: TestFarm) =>
  (await farm.write((db) => layersOfModule(db, farm.idOf('North 1')))).map(
    ({ depthTopCm, startedAt, endedAt }) => ({
      depthTopCm,
      startedAt,
      endedAt,
    }),
  );

describe('the texture of a layer', () => {
  it.for([
    ['a code as text', '6', 'Loam'],
    ['a code with a mark', '#6', 'Loam'],
    ['English', 'clay loam', 'Clay loam'],
    ['capitals and a hyphen', 'Sandy-Clay LOAM', 'Sandy clay loam'],
    ['French', 'limon argileux', 'Clay loam'],
    ['French, with an accent left out', 'limon tres fin', 'Silt'],
    ['Spanish', 'franco arcilloso', 'Clay loam'],
    ['Spanish without its hyphen', 'franco arcillo arenoso', 'Sandy clay loam'],
  ] as const)('may be %s: %s', async ([_, soilHorizonId, usdaClass], { farm }) => {
    await declare(farm, [{ soilHorizonId, depthTopCm: 0, depthBottomCm: 40 }]);
    expect(shape(await profile(farm))).toEqual([[usdaClass, 0, 40]]);
  });

  it('may be the name of any class in any language', async ({ farm }) => {
    for (const lang of LANGS)
      for (const { id, usdaClass } of SOIL_HORIZONS) {
        const soilHorizonId = languageOf(lang).labels.texture(usdaClass);
        await declare(farm, [{ soilHorizonId, depthTopCm: 0, depthBottomCm: 40 }], {
          closeOthers: true,
        });
        expect([soilHorizonId, (await profile(farm))[0]!.soil_horizon_id]).toEqual([
          soilHorizonId,
          id,
        ]);
      }
  });

  it.for([
    ['silty', ['Silty clay loam (11)', 'Silty clay (12)']],
    ['loamy', ['Loamy sand (2)']],
    ['arcilloso', ['Franco arcilloso (7)']],
    ['peat', ['Sand (1)', 'Silty clay (12)']],
  ] as const)(
    'is refused for %s, with the classes that it may mean',
    async ([soilHorizonId, candidates], { farm }) => {
      const layers = [{ soilHorizonId, depthTopCm: 0, depthBottomCm: 40 }];
      const refused = declare(farm, layers);
      await expect(refused).rejects.toMatchObject({ code: 'invalid_body', field: 'layers' });
      for (const each of candidates)
        await expect(refused).rejects.toMatchObject({ hint: expect.stringContaining(each) });
      expect(await profile(farm)).toEqual([]);
    },
  );
});

describe('the soil profile', () => {
  it('is empty by default', async ({ farm }) => {
    expect(await profile(farm)).toEqual([]);
  });

  it('has every field of the layers in force, from the top', async ({ farm }) => {
    const { rows } = await declare(farm, [CLAY, LOAM]);
    const body = (usdaClass: string, id: number, top: number, bottom: number) => ({
      id,
      parcel_id: farm.idOf(PARCEL),
      soil_horizon_id: horizon(usdaClass).id,
      depth_top_cm: top,
      depth_bottom_cm: bottom,
      timestamp_start: iso(FARM_NOW),
      horizon_name: usdaClass,
      usda_class: usdaClass,
      theta_fc: horizon(usdaClass).fieldCapacity,
      theta_pwp: horizon(usdaClass).wiltingPoint,
    });
    expect(await profile(farm)).toEqual([
      body('Loam', rows[1]!.id, 0, 40),
      body('Clay', rows[0]!.id, 40, 100),
    ]);
  });

  it('has names in English in any language', async ({ farm }) => {
    await declare(farm, [CLAY]);
    const { data } = await farm.tool<{ data: SoilProfileLayerBody[] }>(
      'get_soil_profile',
      { parcel: PARCEL },
      { lang: 'fr' },
    );
    expect(data).toMatchObject([{ horizon_name: 'Clay', usda_class: 'Clay' }]);
  });
});

describe('a declared soil profile', () => {
  const layersOf = (
    answer: Advised,
    kind: 'layers_closed' | 'layers_in_force' | 'layers_overlapping',
  ) =>
    advisoriesOf(answer, kind).flatMap(({ layers }) =>
      layers.map(({ depthTopCm, depthBottomCm }) => [depthTopCm, depthBottomCm]),
    );

  it('is answered with one id per layer, in the order of the request', async ({ farm }) => {
    const { success, rows } = await declare(farm, [CLAY, LOAM]);
    const read = await profile(farm);
    expect(success).toBe(true);
    expect(rows).toEqual([
      { id: read[1]!.id, timestamp_start: iso(FARM_NOW) },
      { id: read[0]!.id, timestamp_start: iso(FARM_NOW) },
    ]);
  });

  it('ends the replaced layer at its instant', async ({ farm }) => {
    await declare(farm, [LOAM]);
    farm.now += HOUR;
    await declare(farm, [layer('Silt', 0, 30)]);
    expect(await history(farm)).toEqual([
      { depthTopCm: 0, startedAt: FARM_NOW, endedAt: FARM_NOW + HOUR },
      { depthTopCm: 0, startedAt: FARM_NOW + HOUR, endedAt: null },
    ]);
  });

  it('cuts a layer that the new one overlaps, and names what stays', async ({ farm }) => {
    await declare(farm, [LOAM, layer('Clay loam', 40, 90)]);
    farm.now += HOUR;
    const declared = await declare(farm, [layer('Clay', 0, 60)]);
    expect(shape(await profile(farm))).toEqual([
      ['Clay', 0, 60],
      ['Clay loam', 60, 90],
    ]);
    expect(layersOf(declared, 'layers_in_force')).toEqual([[60, 90]]);
    expect(layersOf(declared, 'layers_closed')).toEqual([
      [0, 40],
      [40, 90],
    ]);
  });

  it('may equal the one before', async ({ farm }) => {
    expect(advisoriesOf(await declare(farm, [LOAM]), 'layers_as_before')).toEqual([]);
    farm.now += HOUR;
    expect(advisoriesOf(await declare(farm, [LOAM]), 'layers_as_before')).toHaveLength(1);
  });

  it('never offers to remove the topsoil when only a lower layer is declared', async ({ farm }) => {
    await declare(farm, [LOAM, CLAY]);
    farm.now += HOUR;
    const { next } = await declare(farm, [layer('Silt', 40, 70)]);
    expect(shape(await profile(farm))).toEqual([
      ['Loam', 0, 40],
      ['Silt', 40, 70],
    ]);
    expect(next).toBe('');
  });

  it('keeps over REST a layer that the new one overlaps, with a note', async ({ farm }) => {
    await declare(farm, [layer('Clay', 30, 100)]);
    const declared = await farm.wire('set_soil_profile', {
      parcelId: farm.idOf(PARCEL),
      layers: [LOAM],
    });
    expect(shape(await profile(farm))).toEqual([
      ['Loam', 0, 40],
      ['Clay', 30, 100],
    ]);
    expect(layersOf(declared, 'layers_overlapping')).toEqual([[30, 100]]);
  });

  it('ends the other layers with closeOthers, and keeps them for past dates', async ({ farm }) => {
    await declare(farm, [LOAM, CLAY]);
    farm.now += HOUR;
    const declared = await declare(farm, [layer('Silt', 10, 60)], { closeOthers: true });
    expect(shape(await profile(farm))).toEqual([['Silt', 10, 60]]);
    expect(await history(farm)).toHaveLength(3);
    expect(layersOf(declared, 'layers_closed')).toEqual([
      [0, 40],
      [40, 100],
    ]);
  });

  it('ends all layers with closeOthers and no layers', async ({ farm }) => {
    await declare(farm, [LOAM]);
    expect(await declare(farm, [], { closeOthers: true })).toMatchObject({
      success: true,
      rows: [],
    });
    expect(await profile(farm)).toEqual([]);
  });

  it('changes no other parcel', async ({ farm }) => {
    await farm.tool('set_soil_profile', { parcel: 'South block', layers: [CLAY] });
    await declare(farm, [LOAM], { closeOthers: true });
    expect(shape(await profile(farm, 'South block'))).toEqual([['Clay', 40, 100]]);
  });

  it('accepts every class of the catalog', async ({ farm }) => {
    const layers = SOIL_HORIZONS.map(({ usdaClass }, index) =>
      layer(usdaClass, index * 10, index * 10 + 10),
    );
    await declare(farm, layers);
    expect((await profile(farm)).map(({ usda_class }) => usda_class)).toEqual(
      SOIL_HORIZONS.map(({ usdaClass }) => usdaClass),
    );
  });

  it.for<[string, unknown]>([
    ['a soil horizon that does not exist', [{ ...LOAM, soilHorizonId: 13 }]],
    ['a soil horizon of 0', [{ ...LOAM, soilHorizonId: 0 }]],
    ['overlapping layers in one request', [LOAM, layer('Clay', 39, 100)]],
    ['two layers at one top', [LOAM, layer('Clay', 0, 100)]],
    ['a layer within another', [layer('Loam', 0, 100), layer('Clay', 20, 30)]],
    ['a bottom above its top', [layer('Loam', 40, 0)]],
    ['a bottom at its top', [layer('Loam', 40, 40)]],
    ['a top above the surface', [layer('Loam', -10, 40)]],
    ['a bottom below 10,000 cm', [layer('Loam', 0, 10_001)]],
    ['a part of a centimetre', [layer('Loam', 0, 40.5)]],
    ['text for a depth', [{ ...LOAM, depthTopCm: 'surface' }]],
    ['a layer without its bottom', [{ soilHorizonId: 1, depthTopCm: 0 }]],
    ['a field that no layer has', [{ ...LOAM, colour: 'red' }]],
    ['no layers', []],
    ['more layers than 50', Array.from({ length: 51 }, (_, top) => layer('Loam', top, top + 1))],
    ['text instead of layers', 'loam'],
  ])(
    'is refused for %s: invalid_body, with a hint, and nothing is written',
    async ([_, layers], { farm }) => {
      await declare(farm, [layer('Sand', 0, 20)]);
      const before = await history(farm);
      await expect(declare(farm, layers)).rejects.toMatchObject({
        code: 'invalid_body',
        status: 400,
        field: 'layers',
        hint: expect.stringMatching(/\w/),
      });
      expect(await history(farm)).toEqual(before);
    },
  );

  it('is refused without layers: invalid_body', async ({ farm }) => {
    await expect(farm.tool('set_soil_profile', { parcel: PARCEL })).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'layers',
    });
  });
});

describe('the soil horizons', () => {
  const horizons = async (farm: TestFarm, args = {}) =>
    (await farm.tool<{ data: SoilHorizonBody[] }>('list_soil_horizons', args)).data;

  it('have every field: loam holds 14, 28 and 46 %', async ({ farm }) => {
    const loam = (await horizons(farm)).find(({ usda_class }) => usda_class === 'Loam')!;
    const { theta_pwp, theta_fc, theta_sat, ...rest } = loam;
    expect([theta_pwp, theta_fc, theta_sat].map((theta) => Math.round(theta * 100))).toEqual([
      14, 28, 46,
    ]);
    expect(rest).toEqual({
      code: String(horizon('Loam').id),
      label: 'Loam',
      usda_class: 'Loam',
      sand_pct: 40,
      silt_pct: 40,
      clay_pct: 20,
    });
  });

  it('have labels in French, and the other fields unchanged', async ({ farm }) => {
    const [en, fr] = [await horizons(farm), await horizons(farm, { lang: 'fr' })];
    expect(fr.map(({ label: _, ...rest }) => rest)).toEqual(
      en.map(({ label: _, ...rest }) => rest),
    );
    expect(fr.find(({ usda_class }) => usda_class === 'Sand')!.label).toBe('Sable');
    expect(fr.map(({ label }) => label)).not.toEqual(en.map(({ label }) => label));
  });
});
