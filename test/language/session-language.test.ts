import { describe, expect, it } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { insertFarmRow } from '../../src/store/farm/farm-rows.ts';
import { bareModule, type TestFarm, withFarm } from '../farm.ts';

describe('a module without a name', () => {
  const nameless = (farm: TestFarm): Promise<number> =>
    farm.write((db) =>
      insertFarmRow(db, 'modules', bareModule({ uid: 'FF-17', number: 12, commissioned_at: 1 })),
    );

  it.each([
    ['en', 'Soil probe 12'],
    ['fr', 'Sonde 12'],
    ['es', 'Sonda 12'],
  ] as const)('has the default name of the language of the caller: %s', (lang, name) =>
    withFarm(async (farm) => {
      const id = await nameless(farm);
      const { summary, ...module } = await farm.tool<{ name: string }>(
        'get_module',
        { module: `#${id}` },
        { lang },
      );
      expect([module.name, summary.startsWith(name)]).toEqual([name, true]);
    }),
  );

  it.each(
    LANGS.flatMap((lang) =>
      ['Soil probe 12', 'sonde 12', 'Sonda 12'].map((text) => [lang, text] as const),
    ),
  )('is found in %s by the default name of any language: %s', (lang, text) =>
    withFarm(async (farm) => {
      const id = await nameless(farm);
      expect(await farm.tool('get_module', { module: text }, { lang })).toMatchObject({ id });
      expect(await farm.tool('list_modules', { search: text }, { lang })).toMatchObject({
        data: [{ id }],
      });
    }),
  );

  it('yields to one whose own name is its name in another language', () =>
    withFarm(async (farm) => {
      await nameless(farm);
      const named = await farm.write((db) =>
        insertFarmRow(
          db,
          'modules',
          bareModule({ uid: 'FF-18', name: 'Sonde 12', commissioned_at: 1 }),
        ),
      );
      expect(await farm.tool('get_module', { module: 'Sonde 12' })).toMatchObject({ id: named });
    }));

  it('is labelled in English over the wire, unless the request names a language', () =>
    withFarm(async (farm) => {
      const id = await nameless(farm);
      expect(await farm.wire('get_module', { moduleId: id }, { lang: 'fr' })).toMatchObject({
        name: 'Soil probe 12',
      });
      expect(await farm.wire('get_module', { moduleId: id, lang: 'es' })).toMatchObject({
        name: 'Sonda 12',
      });
    }));
});

it.each(LANGS)('a refusal is in English in a session in %s, since it is for the model', (lang) =>
  withFarm(async (farm) => {
    await expect(farm.tool('get_module', { module: 'East' }, { lang })).rejects.toMatchObject({
      message: 'No probe is called "East". Nearest: "Mast" (#5).',
    });
  }),
);
