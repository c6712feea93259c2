import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText, quote } from '../../../src/domain/strings.ts';
import {
  moduleName,
  type NameDirectory,
  type NamedModule,
  type NamedParcel,
  parcelName,
} from '../../../src/language/summary-context.ts';
import { resolveModule, resolveParcel } from '../../../src/operation/arguments/name-resolution.ts';

const module = (id: number, name: string | null, more: Partial<NamedModule> = {}): NamedModule => ({
  id,
  name,
  uid: `uid-${id}`,
  category: 'SOIL_PROBE',
  parcelId: null,
  ...more,
});

const directory = (
  modules: readonly NamedModule[],
  parcels: readonly NamedParcel[] = [],
): NameDirectory => ({
  modules: async () => modules,
  parcels: async () => parcels,
});

const MODULE = { field: 'module', code: 'MODULE_NOT_OWNED' };
const PARCEL = { field: 'parcel', code: 'PARCEL_NOT_FOUND' };

const moduleIn = (
  text: string,
  modules: readonly NamedModule[],
  parcels: readonly NamedParcel[] = [],
) => resolveModule(text, directory(modules, parcels), MODULE);
const parcelIn = (text: string, parcels: readonly NamedParcel[]) =>
  resolveParcel(text, directory([], parcels), PARCEL);

const AMBIGUOUS = expect.objectContaining({ code: 'AMBIGUOUS_NAME' });
const UNKNOWN = expect.objectContaining({ code: 'MODULE_NOT_OWNED' });

const farm = [
  module(1, 'North 1'),
  module(2, 'North 2'),
  module(3, 'Sonde été'),
  module(12, 'Vineyard'),
  module(20, null),
];

it('an unknown text of any length is refused in the same time', async () => {
  const timeOf = async (repeats: number): Promise<number> => {
    const text = 'a 1 '.repeat(repeats);
    let fastest = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 5; run++) {
      const start = performance.now();
      for (let n = 0; n < 20; n++) await expect(moduleIn(text, farm)).rejects.toThrow(UNKNOWN);
      fastest = Math.min(fastest, performance.now() - start);
    }
    return fastest;
  };
  // Where time grows with the length, five hundred times as long.
  expect(await timeOf(150_000)).toBeLessThan(10 * (await timeOf(300)));
});

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
    expect(await moduleIn(text, farm)).toMatchObject({ id });
  });

  it.each([
    ['that matches exactly beats one that differs in case', 'vine', ['Vine', 'vine'], 2],
    ['that matches a whole name beats one that contains it', 'North', ['North 1', 'NORTH'], 2],
    ['of fewer than three characters can be a whole name', 'n1', ['N1', 'N12'], 1],
  ])('%s', async (_, text, names, id) => {
    expect(
      await moduleIn(
        text,
        names.map((name, index) => module(index + 1, name)),
      ),
    ).toEqual({ id });
  });

  it('of a module is matched without reading the parcels', async () => {
    const ofModules: NameDirectory = {
      ...directory(farm),
      parcels: () => Promise.reject(new Error('parcels read')),
    };
    expect(await resolveModule('North 1', ofModules, MODULE)).toEqual({ id: 1 });
  });

  it('that differs only in case from two others is AMBIGUOUS_NAME', async () => {
    await expect(moduleIn('VINE', [module(1, 'Vine'), module(2, 'vine')])).rejects.toThrow(
      AMBIGUOUS,
    );
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
    await expect(moduleIn(text, farm)).rejects.toThrow(UNKNOWN);
  });

  it('that matches nothing has the endpoint’s unknown code and the names that resemble it', async () => {
    const { code, status, message } = await moduleIn('Nroth 1', farm).catch((error) => error);
    expect({ code, status }).toEqual({ code: 'MODULE_NOT_OWNED', status: 400 });
    expect(message).toMatch(/\. Nearest: "North 1" \(#1\)/);
    expect(message.match(/#\d+/g)).toEqual(['#1', '#2']);
  });

  it('that no parcel has is 404 PARCEL_NOT_FOUND', async () => {
    await expect(parcelIn('East', [{ id: 1, name: 'North block' }])).rejects.toMatchObject({
      code: 'PARCEL_NOT_FOUND',
      status: 404,
      field: 'parcel',
      message: expect.stringContaining('"North block" (#1)'),
    });
  });

  it('in a company without any says how to add one', async () => {
    await expect(moduleIn('North 1', [])).rejects.toMatchObject({
      hint: expect.stringContaining('set_module'),
    });
  });
});

describe('digits', () => {
  const probes = [module(1, 'Mast'), module(3, 'Probe 2'), module(4, 'Probe 03'), module(5, 'P13')];
  const inWrite = (text: string) =>
    resolveModule(text, directory(probes), { ...MODULE, isWrite: true });

  it('that also end another name are asked in a write, and an id in a read', async () => {
    await expect(inWrite('3')).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      message: expect.stringContaining('"Probe 2" (#3), "Probe 03" (#4)'),
    });
    expect(await inWrite('#3')).toEqual({ id: 3 });
    expect(await inWrite('1')).toEqual({ id: 1 });
    expect(await moduleIn('3', probes)).toEqual({ id: 3 });

    const parcels = [1, 2, 3].map((id) => ({ id, name: `Block ${id - 1}` }));
    const parcel = resolveParcel('2', directory([], parcels), { ...PARCEL, isWrite: true });
    await expect(parcel).rejects.toThrow(AMBIGUOUS);
  });

  it.each([
    ['are an id', '12', farm, 12],
    ['are an exact name if no id matches', '77', [module(1, '77')], 1],
    ['that are both id and name of one module mean that module', '1', [module(1, '1')], 1],
    ['are never a part of a name', '123', [module(1, 'Row 1234')], 123],
    ['that match nothing are passed on as the id', '999', farm, 999],
    ['after # are always the id', '#1', [module(1, 'North'), module(2, '1'), module(3, '#1')], 1],
  ])('%s', async (_, text, modules, id) => {
    expect(await moduleIn(text, modules)).toEqual({ id });
  });

  it.each([
    ['that match no parcel are passed on as the id', '999', [], 999],
    ['after # are always the id of a parcel', ' #2 ', [{ id: 1, name: '2' }], 2],
  ])('%s', async (_, text, parcels, id) => {
    expect(await parcelIn(text, parcels)).toEqual({ id });
  });

  it('that are an id and another’s exact name are AMBIGUOUS_NAME', async () => {
    await expect(moduleIn('1', [module(1, 'North'), module(2, '1')])).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      message: expect.stringMatching(/#1.*#2/),
    });
  });

  it('that name a parcel do not mean its probe', async () => {
    expect(await moduleIn('7', [module(1, 'A', { parcelId: 4 })], [{ id: 4, name: '7' }])).toEqual({
      id: 7,
    });
  });
});

describe('a parcel’s name in place of a module', () => {
  const block = { id: 4, name: 'North block' };
  const inBlock = (id: number, name: string, category = 'SOIL_PROBE') =>
    module(id, name, { parcelId: 4, category });
  const mast = inBlock(2, 'Mast', 'WEATHER_STATION');

  it.each(['SOIL_PROBE', 'TENSIOMETER'])('means its only %s, and says so', async (category) => {
    const found = await moduleIn('North block', [inBlock(1, 'P1', category), mast], [block]);
    expect(found).toEqual({ id: 1, onlyProbe: { parcel: 'North block', probe: 'P1' } });
  });

  it.each([
    ['can be a unique part', 'block', [inBlock(1, 'P1')], 'North block', 1],
    [
      'yields to a module of that name',
      'North block',
      [inBlock(1, 'P1'), module(2, 'North block')],
      'North block',
      2,
    ],
    [
      'that is complete beats modules that contain it',
      'North',
      [inBlock(1, 'North 1'), module(2, 'North 2')],
      'North',
      1,
    ],
  ])('%s', async (_, text, modules, name, id) => {
    expect(await moduleIn(text, modules, [{ id: 4, name }])).toMatchObject({ id });
  });

  it('with several probes lists them', async () => {
    await expect(
      moduleIn('North block', [inBlock(1, 'P1'), inBlock(2, 'P2')], [block]),
    ).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      message: expect.stringContaining('"P1" (#1), "P2" (#2)'),
    });
  });

  it('without a probe matches nothing', async () => {
    await expect(moduleIn('North block', [mast], [block])).rejects.toThrow(UNKNOWN);
  });

  it('that several parcels share lists their probes, whose ids a module accepts', async () => {
    const parcels = ['Upper field', 'Lower field', 'Far field'].map((name, index) => ({
      id: index + 1,
      name,
    }));
    const probes = [module(7, 'P', { parcelId: 1 }), module(8, 'Q', { parcelId: 2 })];
    await expect(moduleIn('field', probes, parcels)).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      message: expect.stringContaining('"P" (#7), "Q" (#8)'),
      hint: expect.stringContaining('#7'),
      candidates: probes,
    });
  });
});

describe('a part of both a module’s and a parcel’s name', () => {
  const parcels = [{ id: 5, name: 'North block' }];

  it('is ambiguous when they mean different modules', async () => {
    const mast = module(8, 'North mast', { category: 'WEATHER_STATION', parcelId: 5 });
    await expect(
      moduleIn('north', [module(7, 'P7', { parcelId: 5 }), mast], parcels),
    ).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      message: expect.stringMatching(/"North mast" \(#8\), "P7" \(#7\)/),
    });
  });

  it('means the probe when both do', async () => {
    expect(await moduleIn('north', [module(9, 'North 1', { parcelId: 5 })], parcels)).toMatchObject(
      { id: 9 },
    );
  });
});

describe('any directory', () => {
  const anyNames = fc.uniqueArray(
    fc.string({
      minLength: 1,
      maxLength: 8,
      unit: fc.constantFrom('a', 'B', 'é', 'E', '1', ' ', '#'),
    }),
    {
      minLength: 1,
      maxLength: 6,
      selector: (name) => name.trim(),
    },
  );
  const named = (names: readonly string[]) =>
    names.map((name, index) => module(index + 1, name.trim() || 'x'));

  it('finds a module by its exact name, unless that reads as an id', () =>
    fc.assert(
      fc.asyncProperty(anyNames, fc.nat(5), async (names, pick) => {
        const modules = named(names);
        const { id, name } = modules[pick % modules.length]!;
        fc.pre(!/^#?\d+$/.test(name!) && modules.filter((each) => each.name === name).length === 1);
        expect(await moduleIn(name!, modules)).toEqual({ id });
      }),
    ));

  it('gives digits as an id or an exact name, never a part, and always as an id after #', () =>
    fc.assert(
      fc.asyncProperty(anyNames, fc.constantFrom('1', '11', '111'), async (names, text) => {
        const modules = named(names);
        expect(await moduleIn(`#${text}`, modules)).toEqual({ id: Number(text) });
        const found = await moduleIn(text, modules).catch(({ code }) => code);
        const exact = modules.filter(({ name, id }) => name === text || id === Number(text));
        if (exact.length > 1) expect(found).toBe('AMBIGUOUS_NAME');
        else expect(found).toEqual({ id: exact[0]?.id ?? Number(text) });
      }),
    ));
});

describe('a text', () => {
  it('in a message is on one line, without control characters, and is cut at 60 characters', () => {
    expect(quote('a\nb\u001b[31m\tc')).toBe('"a b c"');
    expect(quote('x'.repeat(200))).toBe(`"${'x'.repeat(59)}…"`);
  });

  it('is folded without case, accents and doubled spaces', () => {
    expect(foldText(' Été  À ')).toBe('ete a');
  });
});

describe('a name in a sentence', () => {
  it.each([
    [
      'is on one line, without invisible characters',
      'Oak\r\nBcc: x@example.org\t\u202e\u0000 East\u2028',
      ['"Oak Bcc: x@example.org East"', '"Oak Bcc: x@example.org East"'],
    ],
    [
      'that is invisible is replaced by the kind or the id',
      ' \n\u200b',
      ['soil probe', 'parcel 2'],
    ],
    [
      'is quoted if it could end the sentence',
      'Oak" (#7). Stop',
      ['"Oak\' (#7). Stop"', '"Oak\' (#7). Stop"'],
    ],
    ['is otherwise unchanged', 'Chêne 2/3 d’été 🌿', ['Chêne 2/3 d’été 🌿', 'Chêne 2/3 d’été 🌿']],
  ])('%s', async (_, name, shown) => {
    const names = directory([module(1, name)], [{ id: 2, name }]);
    expect([await moduleName(names, 1), await parcelName(names, 2)]).toEqual(shown);
  });
});

describe('for a caller who may not list', () => {
  const missingScopes = { modules: 'readings:read', parcels: 'parcels:read' } as const;
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
  const secret: NameDirectory = { ...directory(modules, parcels), missingScopes };
  const resolveSecretly = (text: string) => resolveModule(text, secret, MODULE);
  const parcel = (text: string) => resolveParcel(text, secret, PARCEL);

  it('a name is still resolved', async () => {
    expect(await resolveSecretly('ridge')).toEqual({ id: 3 });
    expect(await parcel('Slope west')).toEqual({ id: 2 });
  });

  it.each([
    ['several modules', () => resolveSecretly('hill'), 'AMBIGUOUS_NAME', 'readings:read'],
    [
      'several probes of a parcel',
      () => resolveSecretly('terrace'),
      'AMBIGUOUS_NAME',
      'readings:read',
    ],
    [
      'several parcels, for a module',
      () => resolveSecretly('Slope'),
      'AMBIGUOUS_NAME',
      'readings:read',
    ],
    ['several parcels', () => parcel('Slope'), 'AMBIGUOUS_NAME', 'parcels:read'],
    ['no module', () => resolveSecretly('Pond'), 'MODULE_NOT_OWNED', 'readings:read'],
    ['no parcel', () => parcel('Pond'), 'PARCEL_NOT_FOUND', 'parcels:read'],
  ])(
    'a text that means %s gets an answer with the scope it needs, and no name or id',
    async (_, resolve, code, scope) => {
      const error = await resolve().catch((reason: unknown) => reason as Error & { hint: string });
      expect(error).toMatchObject({ code, hint: expect.stringContaining(scope) });
      const answer = JSON.stringify(error);
      for (const { name, id } of [...modules, ...parcels]) {
        expect(answer).not.toContain(name);
        expect(answer).not.toContain(`#${id}"`);
      }
    },
  );
});
