import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mentions } from '../../src/domain/text/contents.ts';
import { nameOfModule, withModuleNames } from '../../src/language/module-names.ts';
import { moduleName, type NamedModule } from '../../src/language/summary-context.ts';
import { moduleText } from '../../src/language/text/names-of-farm.ts';
import { contextOf } from './context.ts';
import { renderText } from './render-text.ts';

const PARCELS = [
  { id: 1, name: 'North block' },
  { id: 2, name: 'South block' },
];
const probe = (id: number, fields: Partial<NamedModule> = {}): NamedModule => ({
  id,
  name: null,
  uid: `70B3D57ED005${1000 + id}`,
  category: 'SOIL_PROBE',
  parcelId: 1,
  ...fields,
});
const namesOf = (modules: readonly NamedModule[]): string[] =>
  modules.map((module) => nameOfModule(module, modules, PARCELS));

describe('the name of a module in a sentence', () => {
  it('is its own, or else what and where it is', () => {
    expect(
      namesOf([
        probe(1, { name: 'North 1' }),
        probe(2),
        probe(3, { category: 'TENSIOMETER' }),
        probe(4, { parcelId: 2 }),
        probe(5, { parcelId: null }),
      ]),
    ).toEqual([
      'North 1',
      'soil probe in North block',
      'tensiometer in North block',
      'soil probe in South block',
      'soil probe',
    ]);
  });

  it('has the end of the uid where others are called the same', () => {
    expect(namesOf([probe(1), probe(2), probe(3, { parcelId: 2 })])).toEqual([
      'soil probe 1001 in North block',
      'soil probe 1002 in North block',
      'soil probe in South block',
    ]);
    expect(namesOf([probe(1, { uid: 'A-0001' }), probe(2, { uid: 'B-0001' })])).toEqual([
      'soil probe A-0001 in North block',
      'soil probe B-0001 in North block',
    ]);
  });

  it('is the same in strings and texts, which know it as a name', async () => {
    const modules = [probe(1), probe(2, { name: '\u200b' }), probe(3, { name: 'Row 12 mm' })];
    const context = contextOf({ modules, parcels: PARCELS });
    for (const id of [1, 2, 3, 12]) {
      const name = await moduleName(context.directory, id);
      const text = await moduleText(context.directory, id);
      expect(renderText(text, 'us')).toBe(name);
      expect(mentions(text, name)).toBe(true);
    }
  });

  it('tells all modules without a name apart', () => {
    const modules = fc.uniqueArray(
      fc.record({
        uid: fc.stringMatching(/^[A-F0-9]{1,6}$/),
        category: fc.constantFrom('SOIL_PROBE', 'TENSIOMETER', 'WEATHER_STATION'),
        parcelId: fc.constantFrom(1, 2, null),
      }),
      { selector: ({ uid }) => uid, maxLength: 12 },
    );
    fc.assert(
      fc.property(modules, (drawn) => {
        const names = namesOf(drawn.map((fields, id) => probe(id, fields)));
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });

  it('stands in every row of an answer that has none', async () => {
    const modules = [probe(1), probe(2)];
    const directory = { modules: async () => modules, parcels: async () => PARCELS };
    const body = {
      data: [
        { id: 1, uid: modules[0]!.uid, name: null },
        { moduleId: 2, name: null, driest: [{ moduleId: 1, name: null }] },
        { id: 7, name: null },
      ],
    };
    expect(await withModuleNames(body, directory)).toEqual({
      data: [
        { id: 1, uid: modules[0]!.uid, name: 'soil probe 1001 in North block' },
        {
          moduleId: 2,
          name: 'soil probe 1002 in North block',
          driest: [{ moduleId: 1, name: 'soil probe 1001 in North block' }],
        },
        { id: 7, name: null },
      ],
    });
  });
});
