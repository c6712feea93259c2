import { describe, expect, it } from 'vitest';
import { LANGS } from '../../../src/domain/lang.ts';
import { CROP_DEPLETIONS, CROPS } from '../../../src/domain/soil/allowed-depletion.ts';
import { languageOf } from '../../../src/language/index.ts';
import { coverOf, cropIn, cropName } from '../../../src/language/words/farming-terms.ts';

describe('the crop of a parcel', () => {
  it.each([
    ['olive', 'olive'],
    ['Oliviers', 'olive'],
    ['olivier AOP', 'olive'],
    ['OLIVAR', 'olive'],
    ['verger d’oliviers de 1956', 'olive'],
    ['verger de pêchers', 'peach'],
    ['VERGER DE PECHERS', 'peach'],
    ['vid', 'wineGrape'],
    ['vides', 'wineGrape'],
    ['Viña vieja', 'wineGrape'],
    ['raisin de table (muscat)', 'tableGrape'],
    ['uva de mesa', 'tableGrape'],
    ['tomatoes', 'tomato'],
    ['cherry orchard', 'cherry'],
    ['cherries', 'cherry'],
    ['nueces', 'walnut'],
    ['melocotones', 'peach'],
    ['choux-fleurs', 'cauliflower'],
    ['pommes de terre', 'potato'],
    ['sweet potatoes', 'sweetPotato'],
    ['pommes', 'apple'],
    ['maïs doux', 'sweetCorn'],
    ['maiz', 'maize'],
    ['Fresón', 'strawberry'],
    ['strawberries', 'strawberry'],
    ['betterave sucrière', 'sugarBeet'],
    ['algodón', 'cotton'],
    ['blés', 'wheat'],
  ] as const)('is recognised in %s', (text, crop) => expect(cropIn(text)).toBe(crop));

  it.each([
    null,
    '',
    '12',
    'north',
    'the',
    'verger',
    'jachère',
    'figuiers',
    'oliva-like',
    'peartree42',
    '🫒',
    'olivetti',
  ])('is unknown in %s', (text) => expect(cropIn(text)).toBeNull());

  it('is the one that suffers first if several are named', () => {
    expect(cropIn('oliviers et amandiers')).toBe('almond');
    expect(cropIn('almond, olive')).toBe('almond');
  });

  it('takes a name inside a longer one for nothing', () => {
    expect(cropIn('sweet potato')).toBe('sweetPotato');
    expect(cropIn('pois chiches')).toBe('chickpea');
  });

  it.each(LANGS.flatMap((lang) => CROPS.map((crop) => [lang, crop] as const)))(
    'is recognised in %s by every name of %s, in capitals and without accents too',
    (lang, crop) => {
      // A name of two crops with one figure may fall on either.
      for (const name of languageOf(lang).crops[crop].split(/[,;] /))
        for (const text of [
          name,
          name.toUpperCase(),
          name.normalize('NFD').replace(/\p{M}/gu, ''),
          `3 ha ${name} 2019`,
        ])
          expect(CROP_DEPLETIONS[cropIn(text)!], text).toBe(CROP_DEPLETIONS[crop]);
      expect(cropIn(cropName(crop, lang))).toBe(crop);
    },
  );
});

describe('the cover of a parcel', () => {
  const ROOFS = [
    'Greenhouse 2',
    'tomatoes, polytunnels',
    'Serre nord',
    'INVERNADERO',
    'macrotunel 4',
  ];
  const PLACES = ['La Serre', 'Les Serres', 'El Túnel', 'Tunnel Road'];

  it.each(ROOFS)('is a roof by the type "%s"', (type) =>
    expect(coverOf({ name: 'North block', type })).toBe('roof'),
  );

  it.each([...ROOFS, ...PLACES])('is not known by the name "%s"', (name) => {
    expect(coverOf({ name, type: 'olive' })).toBe('unknown');
    expect(coverOf({ name, type: null })).toBe('unknown');
  });

  it.each([
    'vines, open air',
    'outdoor tomatoes',
    'Oliviers de plein champ',
    'fresas al aire libre',
  ])('is none by the type "%s", whatever the name', (type) =>
    expect(coverOf({ name: 'La Serre', type })).toBe('open'),
  );

  it.each(['', 'North block', 'olive', 'Serrano', 'Reserve'])('is none by "%s"', (text) =>
    expect(coverOf({ name: text, type: text })).toBe('open'),
  );
});
