import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  moduleName,
  type NameDirectory,
  type NamedModule,
  type NamedParcel,
  parcelName,
} from '../../../src/language/summary-context.ts';
import { foldText, quote } from '../../../src/language/text.ts';
import { resolveModule, resolveParcel } from '../../../src/operation/arguments/name-resolution.ts';

const module = (id: number, name: string | null, more: Partial<NamedModule> = {}): NamedModule => ({
  id,
  name,
  uid: `uid-${id}`,
  category: 'SOIL_PROBE',
  parcelId: null,
  ...more,
});

const directory = (modules: readonly NamedModule[], parcels: readonly NamedParcel[] = []): NameDirectory => ({
  modules: async () => modules,
  parcels: async () => parcels,
});

const moduleIn = (text: string, modules: readonly NamedModule[], parcels: readonly NamedParcel[] = []) =>
  resolveModule(text, directory(modules, parcels), 'MODULE_NOT_OWNED', 'module');
const parcelIn = (text: string, parcels: readonly NamedParcel[]) =>
  resolveParcel(text, directory([], parcels), 'PARCEL_NOT_FOUND', 'parcel');

const farm = [
  module(1, 'North 1'),
  module(2, 'North 2'),
  module(3, 'Sonde été'),
  module(12, 'Vineyard'),
  module(20, null),
];

describe('a name', () => {
  it.each([
    ['exactly', 'North 1', 1],
    ['but for case', 'NORTH 1', 1],
    ['but for accents', 'sonde ete', 3],
    ['with an accent written in two characters', 'Sonde e\u0301te\u0301', 3],
    ['but for spaces', '  north   1 ', 1],
    ['by a unique part', 'vine', 12],
    ['by a part within it', 'yard', 12],
    ['by a part without its accent', 'ete', 3],
  ])('is matched %s: %s', async (_, text, id) => {
    expect(await moduleIn(text, farm)).toEqual({ id });
  });

  it('of a module is matched without reading the parcels', async () => {
    const ofModules: NameDirectory = { ...directory(farm), parcels: () => Promise.reject(new Error('asked for')) };
    expect(await resolveModule('North 1', ofModules, 'MODULE_NOT_OWNED', 'module')).toEqual({ id: 1 });
  });

  it('that matches exactly beats one that differs in case', async () => {
    expect(await moduleIn('vine', [module(1, 'Vine'), module(2, 'vine')])).toEqual({ id: 2 });
  });

  it('that matches a whole name beats one that contains it', async () => {
    expect(await moduleIn('North', [module(1, 'North 1'), module(2, 'NORTH')])).toEqual({ id: 2 });
  });

  it('that differs only in case from two others is AMBIGUOUS_NAME', async () => {
    await expect(moduleIn('VINE', [module(1, 'Vine'), module(2, 'vine')])).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
    });
  });

  it('that several parcels match lists their probes, whose ids a module accepts', async () => {
    const parcels = [
      { id: 1, name: 'Upper field' },
      { id: 2, name: 'Lower field' },
      { id: 3, name: 'Far field' },
    ];
    const probes = [module(7, 'P', { parcelId: 1 }), module(8, 'Q', { parcelId: 2 })];
    await expect(moduleIn('field', probes, parcels)).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      message: expect.stringContaining('"P" (#7), "Q" (#8)'),
      hint: expect.stringContaining('#7'),
      candidates: probes,
    });
  });

  it('contained in several is AMBIGUOUS_NAME, listing them with their ids', async () => {
    await expect(moduleIn('north', farm)).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      status: 400,
      field: 'module',
      message: expect.stringContaining('"North 1" (#1), "North 2" (#2)'),
      hint: expect.stringContaining('"#1"'),
    });
  });

  it('that could mean many lists five of them', async () => {
    const many = Array.from({ length: 8 }, (_, index) => module(index + 1, `Row ${index + 1}`));
    const { message } = await moduleIn('row', many).catch((error) => error);
    expect(message.match(/#\d+/g)).toHaveLength(5);
    expect(message).toContain('and 3 more');
  });

  it.each(['No', 'N', 'é'])('of fewer than three characters matches no part: %s', async (text) => {
    await expect(moduleIn(text, farm)).rejects.toMatchObject({ code: 'MODULE_NOT_OWNED' });
  });

  it('of fewer than three characters can be a whole name', async () => {
    expect(await moduleIn('n1', [module(1, 'N1'), module(2, 'N12')])).toEqual({ id: 1 });
  });

  it('that matches nothing has the endpoint’s unknown code and up to five similar names', async () => {
    const { code, status, hint } = await moduleIn('Nroth 1', farm).catch((error) => error);
    expect({ code, status }).toEqual({ code: 'MODULE_NOT_OWNED', status: 400 });
    expect(hint).toMatch(/^Nearest: "North 1" \(#1\)/);
    expect(hint.match(/#\d+/g)).toHaveLength(5);
  });

  it('that no parcel has is 404 PARCEL_NOT_FOUND', async () => {
    await expect(parcelIn('East', [{ id: 1, name: 'North block' }])).rejects.toMatchObject({
      code: 'PARCEL_NOT_FOUND',
      status: 404,
      field: 'parcel',
      hint: expect.stringContaining('"North block" (#1)'),
    });
  });

  it('in a company without any says how to import one', async () => {
    await expect(moduleIn('North 1', [])).rejects.toMatchObject({ hint: expect.stringContaining('acequia import') });
  });
});

describe('digits', () => {
  it('are an id', async () => {
    expect(await moduleIn('12', farm)).toEqual({ id: 12 });
  });

  it('are an exact name if no id matches', async () => {
    expect(await moduleIn('77', [module(1, '77')])).toEqual({ id: 1 });
  });

  it('that are an id and another’s exact name are AMBIGUOUS_NAME', async () => {
    await expect(moduleIn('1', [module(1, 'North'), module(2, '1')])).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      message: expect.stringMatching(/#1.*#2/),
    });
  });

  it('that are both id and name of one module mean that module', async () => {
    expect(await moduleIn('1', [module(1, '1')])).toEqual({ id: 1 });
  });

  it('are never a part of a name', async () => {
    expect(await moduleIn('123', [module(1, 'Row 1234')])).toEqual({ id: 123 });
  });

  it('that match nothing are passed on as the id', async () => {
    expect(await moduleIn('999', farm)).toEqual({ id: 999 });
    expect(await parcelIn('999', [])).toEqual({ id: 999 });
  });

  it('that name a parcel do not mean its probe', async () => {
    expect(await moduleIn('7', [module(1, 'A', { parcelId: 4 })], [{ id: 4, name: '7' }])).toEqual({ id: 7 });
  });

  it('after # are always the id', async () => {
    expect(await moduleIn('#1', [module(1, 'North'), module(2, '1'), module(3, '#1')])).toEqual({ id: 1 });
    expect(await parcelIn(' #2 ', [{ id: 1, name: '2' }])).toEqual({ id: 2 });
  });
});

describe('a parcel’s name in place of a module', () => {
  const block = { id: 4, name: 'North block' };
  const inBlock = (id: number, name: string, category = 'SOIL_PROBE') => module(id, name, { parcelId: 4, category });

  it.each(['SOIL_PROBE', 'TENSIOMETER'])('means its only %s, and says so', async (category) => {
    const found = await moduleIn(
      'North block',
      [inBlock(1, 'P1', category), inBlock(2, 'Mast', 'WEATHER_STATION')],
      [block],
    );
    expect(found).toEqual({ id: 1, onlyProbe: { parcel: 'North block', probe: 'P1' } });
  });

  it('with several probes lists them', async () => {
    await expect(moduleIn('North block', [inBlock(1, 'P1'), inBlock(2, 'P2')], [block])).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      message: expect.stringContaining('"P1" (#1), "P2" (#2)'),
    });
  });

  it('without a probe matches nothing', async () => {
    await expect(moduleIn('North block', [inBlock(2, 'Mast', 'WEATHER_STATION')], [block])).rejects.toMatchObject({
      code: 'MODULE_NOT_OWNED',
    });
  });

  it('can be a unique part', async () => {
    expect(await moduleIn('block', [inBlock(1, 'P1')], [block])).toMatchObject({ id: 1 });
  });

  it('yields to a module of that name', async () => {
    expect(await moduleIn('North block', [inBlock(1, 'P1'), module(2, 'North block')], [block])).toEqual({ id: 2 });
  });

  it('that is complete beats modules that contain it', async () => {
    const modules = [inBlock(1, 'North 1'), module(2, 'North 2')];
    expect(await moduleIn('North', modules, [{ id: 4, name: 'North' }])).toMatchObject({ id: 1 });
  });
});

describe('a part of both a module’s and a parcel’s name', () => {
  const parcels = [{ id: 5, name: 'North block' }];
  const probe = module(7, 'P7', { parcelId: 5 });

  it('is ambiguous when they mean different modules', async () => {
    const mast = module(8, 'North mast', { category: 'WEATHER_STATION', parcelId: 5 });
    await expect(moduleIn('north', [probe, mast], parcels)).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      message: expect.stringMatching(/"North mast" \(#8\), "P7" \(#7\)/),
    });
  });

  it('means the probe when both do', async () => {
    const north = module(9, 'North 1', { parcelId: 5 });
    expect(await moduleIn('north', [north], parcels)).toEqual({ id: 9 });
  });
});

describe('any directory', () => {
  const anyNames = fc.uniqueArray(
    fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', 'B', 'é', 'E', '1', ' ', '#') }),
    {
      minLength: 1,
      maxLength: 6,
      selector: (name) => name.trim(),
    },
  );
  const named = (names: readonly string[]) => names.map((name, index) => module(index + 1, name.trim() || 'x'));

  it('finds a module by its exact name, unless that reads as an id', () =>
    fc.assert(
      fc.asyncProperty(anyNames, fc.nat(5), async (names, pick) => {
        const modules = named(names);
        const { id, name } = modules[pick % modules.length]!;
        fc.pre(!/^#?\d+$/.test(name!) && modules.filter((each) => each.name === name).length === 1);
        expect(await moduleIn(name!, modules)).toEqual({ id });
      }),
    ));

  it('gives # and an id as that id, whatever the names', () =>
    fc.assert(
      fc.asyncProperty(anyNames, fc.integer({ min: 1, max: 99 }), async (names, id) => {
        expect(await moduleIn(`#${id}`, named(names))).toEqual({ id });
      }),
    ));

  it('gives digits as an id or an exact name, never a part', () =>
    fc.assert(
      fc.asyncProperty(anyNames, fc.constantFrom('1', '11', '111'), async (names, text) => {
        const modules = named(names);
        const found = await moduleIn(text, modules).catch(({ code }) => code);
        const exact = modules.filter(({ name, id }) => name === text || id === Number(text));
        if (exact.length > 1) expect(found).toBe('AMBIGUOUS_NAME');
        else expect(found).toEqual({ id: exact[0]?.id ?? Number(text) });
      }),
    ));
});

describe('a text in a message', () => {
  it('is on one line, without control characters', () => {
    expect(quote('a\nb\u001b[31m\tc')).toBe('"a b [31m c"');
  });

  it('is cut at 60 characters', () => {
    expect(quote('x'.repeat(200))).toHaveLength(60);
  });

  it('is folded without case, accents and doubled spaces', () => {
    expect(foldText(' Été  À ')).toBe('ete a');
  });
});

describe('a name in a sentence', () => {
  const strange = 'Oak\r\nBcc: x@example.org\t\u202e\u0000 East\u2028';

  it('is on one line, without invisible characters', async () => {
    const here = directory([module(1, strange)], [{ id: 2, name: strange }]);
    expect([await moduleName(here, 1), await parcelName(here, 2, 'en')]).toEqual(
      Array(2).fill('Oak Bcc: x@example.org East'),
    );
  });

  it('that is invisible is replaced by the id', async () => {
    const here = directory([module(1, ' \n\u200b')], [{ id: 2, name: '\n' }]);
    expect([await moduleName(here, 1), await parcelName(here, 2, 'en')]).toEqual(['module 1', 'parcel 2']);
  });

  it('is otherwise unchanged', async () => {
    expect(await moduleName(directory([module(1, 'Chêne 2/3 <été> 🌿')]), 1)).toBe('Chêne 2/3 <été> 🌿');
  });
});

describe('for a caller who may not list', () => {
  const withheld = { modules: 'readings:read', parcels: 'parcels:read' } as const;
  const modules = [
    module(1, 'Hillside 1', { parcelId: 1 }),
    module(2, 'Hillside 2', { parcelId: 1 }),
    module(3, 'Ridge', { parcelId: 2 }),
  ];
  const parcels = [
    { id: 1, name: 'Terrace' },
    { id: 2, name: 'Slope west' },
    { id: 3, name: 'Slope east' },
  ];
  const secret: NameDirectory = { ...directory(modules, parcels), withheld };
  const meant = (text: string) => resolveModule(text, secret, 'MODULE_NOT_OWNED', 'module');
  const parcel = (text: string) => resolveParcel(text, secret, 'PARCEL_NOT_FOUND', 'parcel');

  it('a name is still resolved', async () => {
    expect(await meant('ridge')).toEqual({ id: 3 });
    expect(await parcel('Slope west')).toEqual({ id: 2 });
  });

  it.each([
    ['several modules', () => meant('hill'), 'AMBIGUOUS_NAME', 'readings:read'],
    ['several probes of a parcel', () => meant('terrace'), 'AMBIGUOUS_NAME', 'readings:read'],
    ['several parcels, for a module', () => meant('Slope'), 'AMBIGUOUS_NAME', 'readings:read'],
    ['several parcels', () => parcel('Slope'), 'AMBIGUOUS_NAME', 'parcels:read'],
    ['no module', () => meant('Pond'), 'MODULE_NOT_OWNED', 'readings:read'],
    ['no parcel', () => parcel('Pond'), 'PARCEL_NOT_FOUND', 'parcels:read'],
  ])(
    'a text that means %s is answered with no name and no id, and with the scope it takes',
    async (_, asked, code, scope) => {
      const error = await asked().catch((reason: unknown) => reason as Error & { hint: string });
      expect(error).toMatchObject({ code, hint: expect.stringContaining(scope) });
      const said = JSON.stringify(error);
      for (const { name, id } of [...modules, ...parcels]) {
        expect(said).not.toContain(name);
        expect(said).not.toContain(`#${id}"`);
      }
    },
  );
});
