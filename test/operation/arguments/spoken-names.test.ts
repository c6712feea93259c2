import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NamedModule, NamedParcel } from '../../../src/language/summary-context.ts';
import { resolveModule, resolveParcel } from '../../../src/operation/arguments/name-resolution.ts';

const PARCELS: readonly NamedParcel[] = [
  { id: 1, name: 'North block', type: 'olive' },
  { id: 2, name: 'Peach block', type: 'Pêchers' },
  { id: 3, name: 'Hillside', type: 'vineyard' },
  { id: 4, name: 'Les Amandiers', type: 'almendros' },
  { id: 5, name: 'SouthEast', type: 'citrus' },
  { id: 6, name: 'Lower plot', type: 'cherry' },
];

const probe = (
  id: number,
  name: string | null,
  parcelId: number | null,
  category = 'SOIL_PROBE',
): NamedModule => ({
  id,
  name,
  parcelId,
  category,
  uid: `uid-${id}`,
});

const MODULES: readonly NamedModule[] = [
  probe(10, 'North 1', 1),
  probe(11, 'North 2', 1),
  probe(12, 'North tension', 1, 'TENSIOMETER'),
  probe(20, 'Peach 1', 2),
  probe(21, 'Peach 2', 2),
  probe(30, 'P7', 3),
  probe(40, 'Amandier 4', 4),
  probe(50, 'Lemon 1', 5),
  probe(51, 'Mast', 5, 'WEATHER_STATION'),
  probe(60, 'Canal 3', null),
  probe(61, 'Canal 4', null),
];

const moduleIn = (
  text: string,
  modules: readonly NamedModule[] = MODULES,
  parcels: readonly NamedParcel[] = PARCELS,
  tool?: string,
) =>
  resolveModule(
    text,
    { modules: async () => modules, parcels: async () => parcels },
    { field: 'module', code: 'MODULE_NOT_OWNED', ...(tool === undefined ? {} : { tool }) },
  );
const parcelIn = (
  text: string,
  parcels: readonly NamedParcel[] = PARCELS,
  modules: readonly NamedModule[] = [],
) =>
  resolveParcel(
    text,
    { modules: async () => modules, parcels: async () => parcels },
    { field: 'parcel', code: 'PARCEL_NOT_FOUND' },
  );

describe('a probe is found by the words people say', () => {
  it.each([
    ['peach one', 20],
    ['la sonde numéro deux du bloc nord', 11],
    ['Peach One.', 20],
    ['north two', 11],
    ['the north two', 11],
    ['North-1', 10],
    ['north01', 10],
    ['NORTH1', 10],
    ['nord deux', 11],
    ['norte dos', 11],
    ['la sonde nord 2', 11],
    ['pêche deux', 21],
    ['melocotón dos', 21],
    ['melocotonero uno', 20],
    ['durazno 1', 20],
    ['the peaches one', 20],
    ['the second north probe', 11],
    ['la deuxième sonde du nord', 11],
    ['la segunda sonda del norte', 11],
    ['the 2nd peach', 21],
    ['le tensiomètre du nord', 12],
    ['north block tensiometer', 12],
    ['the almonds', 40],
    ['los almendros', 40],
    ['l’amanderaie', 40],
    ['la vigne', 30],
    ['la viña', 30],
    ['the grapes', 30],
    ['the vines', 30],
    ['hillside probe', 30],
    ['sonde hillside', 30],
    ['citron 1', 50],
    ['limón uno', 50],
    ['the lemons', 50],
    ['the weather station', 51],
    ['la station météo', 51],
    ['sud-est', 50],
    ['southeast block', 50],
    ['el bloque del sureste', 50],
    ['the canal probe four', 61],
  ])('%s', async (text, id) => {
    expect(await moduleIn(text)).toMatchObject({ id });
  });

  it('and the answer tells which one, unless the text is its name', async () => {
    expect(await moduleIn('peach 1')).toEqual({ id: 20 });
    expect(await moduleIn('peach one')).toEqual({ id: 20, matchedName: 'Peach 1' });
    expect(await moduleIn('la vigne')).toEqual({
      id: 30,
      onlyProbe: { parcel: 'Hillside', probe: 'P7' },
    });
  });
});

describe('several meanings are listed', () => {
  it.each([
    ['le bloc nord', ['North 1', 'North 2', 'North tension']],
    ['le bloc du nord', ['North 1', 'North 2', 'North tension']],
    ['la parcela norte', ['North 1', 'North 2', 'North tension']],
    ['the peaches', ['Peach 1', 'Peach 2']],
    ['les pêches', ['Peach 1', 'Peach 2']],
    ['the canal probe', ['Canal 3', 'Canal 4']],
    ['les deux sondes du nord', ['North 1', 'North 2']],
    ['both probes in the north', ['North 1', 'North 2']],
    ['the 2 north probes', ['North 1', 'North 2']],
    ['las dos sondas del norte', ['North 1', 'North 2']],
    ['toutes les sondes du bloc nord', ['North 1', 'North 2']],
  ])('%s', async (text, names) => {
    const error = await moduleIn(text).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'AMBIGUOUS_NAME', field: 'module' });
    expect(
      (error as { candidates: { name: string }[] }).candidates.map(({ name }) => name),
    ).toEqual(names);
  });

  it('for a parcel, if it has more than the kind of probe that is meant', async () => {
    const error = await parcelIn('les deux sondes du nord', PARCELS, MODULES).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      message: expect.stringMatching(/"North 1" .*"North 2" /),
      hint: expect.stringContaining('Pass the parcel as parcel'),
    });
    expect((error as Error).message).not.toContain('North tension');
  });

  it('with the parcel itself, where the operation takes one', async () => {
    await expect(moduleIn('le bloc nord', MODULES, PARCELS, 'log_watering')).rejects.toMatchObject({
      message: expect.stringContaining(
        'several probes of the parcel "North block": "North 1" (#10)',
      ),
      hint: expect.stringContaining('log_watering takes parcel "#1" in place of module'),
    });
  });
});

describe('what would be a guess is not resolved', () => {
  it.each([
    'pech 1',
    'nort 1',
    'peache 1',
    'hillsid probe',
    'canale 3',
    'north three',
    'north 12',
    'the third north probe',
    // The numbers of these begin with 3.
    'the third canal probe',
    'the first canal probe',
    'nectarine 1',
    'orange 1',
    'the olives two hundred',
    'block 2',
    'probe 2',
    'the probe',
    'the second one',
    'two',
    'west block',
    'South 1',
    'a',
    '🌿',
    '',
  ])('%s', async (text) => {
    await expect(moduleIn(text)).rejects.toMatchObject({
      code: expect.stringMatching(/MODULE_NOT_OWNED|AMBIGUOUS/),
    });
  });

  it('nor the probe 1 of a parcel 2 for a probe 2', async () => {
    const modules = [probe(1, 'North 1', 1), probe(2, 'South 1', 2)];
    const parcels = [
      { id: 1, name: 'Sector 2' },
      { id: 2, name: 'Sector 3' },
    ];
    await expect(moduleIn('north 2', modules, parcels)).rejects.toMatchObject({
      code: 'MODULE_NOT_OWNED',
    });
    expect(await moduleIn('north 1 of sector 2', modules, parcels)).toMatchObject({ id: 1 });
  });

  it('nor a number that begins alike', async () => {
    await expect(moduleIn('row 1', [probe(1, 'Row 12', null)])).rejects.toMatchObject({
      code: 'MODULE_NOT_OWNED',
    });
    expect(
      await moduleIn('row 1', [probe(1, 'Row-1', null), probe(2, 'Row 12', null)]),
    ).toMatchObject({ id: 1 });
  });
});

describe('what is called by a number is found by noun and number', () => {
  const parcels = [
    { id: 1, name: 'Block 1' },
    { id: 2, name: 'Block 2' },
    { id: 3, name: '3' },
  ];
  const modules = [probe(12, '2', 1), probe(13, 'Probe 3', 1), probe(22, 'Sensor 2', 2)];

  it.each([
    ['probe 3', 13],
    ['no. 3', 13],
    ['No 3', 13],
    ['probe no. 3', 13],
    ['sonde n° 3', 13],
    ['sonda nº 3', 13],
    ['number three', 13],
    ['probe 2 of block 1', 12],
    ['block 1, probe 2', 12],
    ['plot 2 sensor 2', 22],
  ])('%s, a probe', async (text, id) => {
    expect(await moduleIn(text, modules, parcels)).toMatchObject({ id });
  });

  it.each([
    ['field 2', 2],
    ['parcel 2', 2],
    ['la parcelle numéro deux', 2],
    ['block 3', 3],
    ['no. 1', 1],
    ['block two', 2],
  ])('%s, a parcel', async (text, id) => {
    expect(await parcelIn(text, parcels)).toMatchObject({ id });
  });

  it('and several of one number are listed', async () => {
    await expect(moduleIn('module 2', modules, parcels)).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
    });
    expect(await moduleIn('probe 2', [probe(12, '2', 1), probe(13, '3', 1)], [])).toMatchObject({
      id: 12,
    });
    expect(await moduleIn('probe 2', modules.slice(0, 2), parcels)).toMatchObject({ id: 12 });
  });

  it('and NO stays the north-west', async () => {
    const corners = [probe(1, 'NO 1', 1), probe(2, 'NE 1', 1), probe(3, '1', 1)];
    expect(await moduleIn('no 1', corners, parcels)).toMatchObject({ id: 1 });
    expect(await moduleIn('no. 1', corners, parcels)).toMatchObject({ id: 3 });
  });
});

describe('names that differ by punctuation alone', () => {
  const write = (text: string, names: readonly string[]) => {
    const modules = names.map((name, index) => probe(index + 1, name, null));
    const directory = { modules: async () => modules, parcels: async () => [] };
    return resolveModule(text, directory, {
      field: 'module',
      code: 'MODULE_NOT_OWNED',
      isWrite: true,
    });
  };

  it.each([
    ['A-', 'A+'],
    ['A', 'A+'],
    ['A', "A'"],
    ['A*', 'A'],
    ['Row 1-2', 'Row 1/2'],
    ['Row 1.2', 'Row 1-2'],
  ])('%s is not %s in a write', async (text, name) => {
    await expect(write(text, [name])).rejects.toMatchObject({
      message: expect.stringContaining(`"${name}"`),
    });
    expect(await moduleIn(text, [probe(1, name, null)], [])).toEqual({ id: 1, matchedName: name });
    expect(await write(text, [name, text])).toEqual({ id: 2 });
  });

  it.each([
    ['Block-A', 'Block A'],
    ['North 1.', 'North 1'],
    ['“North 1”', 'North 1'],
    ['Row #2', 'Row 2'],
    ['Block (A)', 'Block A'],
    ['l’olivier', "l'olivier"],
    ['Block - A', 'Block A'],
    ['row_2', 'Row 2'],
  ])('%s is %s: people write names so', async (text, name) => {
    expect(await write(text, [name])).toMatchObject({ id: 1 });
  });

  it.each(['A', 'a -', '+A-'])('%s may be several', async (text) => {
    await expect(write(text, ['A+', 'A-'])).rejects.toMatchObject({
      message: expect.stringContaining('"A+" (#1)'),
    });
  });
});

describe('a probe is found within its parcel', () => {
  const modules = [
    probe(1, 'Probe 1', 2),
    probe(2, 'Probe 2', 2),
    probe(3, 'Probe 1', 1),
    probe(4, null, 1),
  ];

  it.each([
    ['peach two', 2],
    ['the peaches, probe 2', 2],
    ['sonde 1 des pêchers', 1],
    ['north block probe one', 3],
  ])('%s', async (text, id) => {
    expect(await moduleIn(text, modules)).toMatchObject({ id });
  });
});

describe('a parcel is found by the words people say', () => {
  it.each([
    ['le bloc du nord', 1],
    ['the north', 1],
    ['el bloque norte', 1],
    ['northblock', 1],
    ['the peaches', 2],
    ['el melocotonar', null],
    ['los melocotoneros', 2],
    ['la vigne', 3],
    ['le vignoble', 3],
    ['the almond orchard', 4],
    ['south-east block', 5],
    ['the olive trees', 1],
    ['les agrumes', 5],
    ['la parcelle du bas', 6],
  ])('%s', async (text, id) => {
    if (id === null)
      await expect(parcelIn(text)).rejects.toMatchObject({ code: 'PARCEL_NOT_FOUND' });
    else expect(await parcelIn(text)).toMatchObject({ id });
  });

  it('and is asked for if two grow the same', async () => {
    const parcels = [
      { id: 1, name: 'Hillside', type: 'vigne' },
      { id: 2, name: 'Plateau', type: 'vineyard' },
    ];
    await expect(parcelIn('las viñas', parcels)).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      message: expect.stringContaining('"Hillside" (#1), "Plateau" (#2)'),
    });
  });
});

describe('an unknown name', () => {
  it('is answered with names that resemble it, and with the parcel', async () => {
    await expect(moduleIn('Nroth blok', MODULES, PARCELS, 'log_watering')).rejects.toMatchObject({
      message: expect.stringMatching(
        /^No probe is called "Nroth blok"\. The parcel "North block" \(#1, crop "olive"\) has the 3 probes "North 1" \(#10\), .*Nearest: "North 1"/,
      ),
      hint: expect.stringContaining('log_watering takes parcel "#1" in place of module'),
    });
  });

  it('of a crop whose parcel has no probe tells so', async () => {
    await expect(moduleIn('the cherries')).rejects.toMatchObject({
      message: expect.stringContaining('The parcel "Lower plot" (#6, crop "cherry") has no probe.'),
    });
  });

  it('of a similar crop is answered with its parcel', async () => {
    await expect(moduleIn('the nectarines')).rejects.toMatchObject({
      message: expect.stringContaining(
        'The parcel "Peach block" (#2, crop "Pêchers") has the 2 probes',
      ),
    });
    await expect(parcelIn('the nectarines')).rejects.toMatchObject({
      message: expect.stringContaining('"Peach block" (#2)'),
    });
  });

  it('of a kind of device, or as unlike as north and south, resembles none', async () => {
    const parcels = [
      { id: 1, name: 'Olive grove', type: 'olive' },
      { id: 2, name: 'South block', type: null },
    ];
    const modules = [
      { ...MODULES[0]!, id: 1, name: 'Olivo 1', parcelId: 1 },
      { ...MODULES[0]!, id: 2, name: 'South 1', parcelId: 2 },
    ];
    for (const text of ['probe 7', 'north 7', 'north 11'])
      await expect(moduleIn(text, modules, parcels)).rejects.toMatchObject({
        message: expect.stringMatching(/\. The probes are "Olivo 1" \(#1\), "South 1" \(#2\)\./),
      });
    await expect(moduleIn('Suoth', modules, parcels)).rejects.toMatchObject({
      message: expect.stringContaining('Nearest: "South 1" (#2).'),
    });
  });

  it('without resemblance is answered with the first probes', async () => {
    await expect(moduleIn('zzzz')).rejects.toMatchObject({
      message: expect.stringMatching(/\. The probes are "North 1" \(#10\).* and 6 more\./),
    });
  });
});

describe('whatever names there are', () => {
  const word = fc.constantFrom(
    'north',
    'Nord',
    'block',
    'bloc',
    'peach',
    'pêches',
    'one',
    '1',
    '2',
    'the',
    'second',
    'A',
    'vigne',
  );
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const farm = fc
    .record({
      modules: fc.uniqueArray(name, { minLength: 1, maxLength: 6 }),
      parcels: fc.uniqueArray(name, { maxLength: 4 }),
      places: fc.array(fc.nat(4), { minLength: 6, maxLength: 6 }),
      crops: fc.array(fc.constantFrom(null, 'vineyard', 'pêcher', 'olive'), {
        minLength: 4,
        maxLength: 4,
      }),
    })
    .map(({ modules, parcels, places, crops }) => ({
      modules: modules.map((each, index) => probe(100 + index, each, places[index] || null)),
      parcels: parcels.map((each, index) => ({ id: index + 1, name: each, type: crops[index]! })),
    }));
  const outcome = (resolved: Promise<{ id: number }>) =>
    resolved.then(
      ({ id }) => id,
      ({ code, candidates }: { code: string; candidates: { id: number }[] }) =>
        `${code} ${candidates.map(({ id }) => id).sort()}`,
    );

  it('an exact name is that probe or parcel', () =>
    fc.assert(
      fc.asyncProperty(farm, async ({ modules, parcels }) => {
        for (const { id, name: exact } of modules)
          if (!/^\d+$/.test(exact!))
            expect(await outcome(moduleIn(exact!, modules, parcels))).toBe(id);
        for (const { id, name: exact } of parcels)
          if (!/^\d+$/.test(exact)) expect(await outcome(parcelIn(exact, parcels))).toBe(id);
      }),
    ));

  it('the order of the lists does not matter', () =>
    fc.assert(
      fc.asyncProperty(farm, name, async ({ modules, parcels }, text) => {
        const reversed = [[...modules].reverse(), [...parcels].reverse()] as const;
        expect(await outcome(moduleIn(text, ...reversed))).toBe(
          await outcome(moduleIn(text, modules, parcels)),
        );
        expect(await outcome(parcelIn(text, reversed[1]))).toBe(
          await outcome(parcelIn(text, parcels)),
        );
      }),
    ));

  it('a text means one probe at most: a second of the same meaning makes it ambiguous', () =>
    fc.assert(
      fc.asyncProperty(farm, name, async ({ modules, parcels }, text) => {
        const found = await outcome(moduleIn(text, modules, parcels));
        fc.pre(typeof found === 'number' && !/^\d+$/.test(text));
        const twin = { ...modules.find(({ id }) => id === found)!, id: 999 };
        expect(await outcome(moduleIn(text, [...modules, twin], parcels))).toContain(
          'AMBIGUOUS_NAME',
        );
      }),
    ));

  it('a number in the text is a number in the name of what it means, or of its parcel', () =>
    fc.assert(
      fc.asyncProperty(
        farm,
        fc.constantFrom('3', 'three', 'trois', 'tres', 'third'),
        name,
        async (names, three, text) => {
          expect(
            await outcome(moduleIn(`${text} ${three}`, names.modules, names.parcels)),
          ).not.toBeTypeOf('number');
        },
      ),
    ));
});
