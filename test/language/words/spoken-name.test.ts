import { describe, expect, it } from 'vitest';
import { LANGS } from '../../../src/domain/lang.ts';
import { CROPS } from '../../../src/domain/soil/allowed-depletion.ts';
import { LANGUAGE_WORDS, languageOf } from '../../../src/language/index.ts';
import { readSpokenName } from '../../../src/language/words/spoken-name.ts';

const meaningOf = (text: string) => {
  const { compact: _, ...meaning } = readSpokenName(text);
  return meaning;
};

describe('a name by its meaning', () => {
  it.each([
    ['North block 2', 'le bloc nord deux', 'el bloque norte dos'],
    ['Northeast probe', 'la sonde du nord-est', 'la sonda del noreste'],
    ['North East probe', 'sonde nord est', 'sonda noreste'],
    ['the old vines', 'les vieilles vignes', 'las viñas viejas'],
    ['the big orchard', 'le grand verger', 'la huerta grande'],
    ['the second peach', 'la 2ème pêche', 'el 2º melocotón'],
    ['the first row', 'le premier rang', 'la primera fila'],
    ['row thirty-one', 'rang trente et un', 'fila treinta y uno'],
    ['row one hundred and twelve', 'rang cent douze', 'fila ciento doce'],
    ['row two hundred', 'rang deux cents', 'fila doscientos'],
    ['the lower olive trees', 'les oliviers du bas', 'los olivos de abajo'],
    ['the lemons', 'les citronniers', 'los limoneros'],
  ])('is the same in English, French and Spanish: %s, %s, %s', (...texts) => {
    const [english, ...others] = texts.map((text) => ({ ...meaningOf(text), places: [] }));
    for (const each of others) expect(each).toEqual(english);
  });

  it.each([
    ['PêcherHaut 07', 'pecher-haut 7'],
    ['l’oliveraie', 'OLIVERAIE'],
    ['Œillets', 'oeillets'],
  ])('has no capitals, accents, hyphens, articles and leading zeros: %s', (text, other) =>
    expect(readSpokenName(text)).toEqual(readSpokenName(other)),
  );

  it.each([
    ['North 1', 'North 10'],
    ['Block 2E', 'Block 2'],
    ['Block 2E', 'Block 2nd'],
    ['South A', 'South'],
    ['Row 1-12', 'Row 112'],
    ['Row 1-12', 'Row 12-1'],
    ['Lemon 1', 'Orange 1'],
    ['Peach 1', 'Nectarine 1'],
    ['Vine', 'Wine'],
    ['🌿 1', '🍇 1'],
  ])('differs where names differ: %s, %s', (text, other) =>
    expect(meaningOf(text)).not.toEqual(meaningOf(other)),
  );
});

it('every word of the lists is read as its own meaning, in the singular and the plural', () => {
  for (const lang of LANGS) {
    const { places, devices, descriptors } = languageOf(lang).names;
    for (const [part, table] of Object.entries({ places, devices, words: descriptors }))
      for (const [meaning, forms] of Object.entries(table))
        for (const form of forms.split(', '))
          for (const text of [
            form,
            form.toUpperCase(),
            ...(/\p{L}{4}$/u.test(form) ? [`${form}s`] : []),
          ])
            expect(meaningOf(text), `${text} (${lang})`).toMatchObject({ [part]: [meaning] });
  }
});

it('every ordinal is read as its number', () => {
  for (const lang of LANGS)
    for (const [index, forms] of languageOf(lang).names.ordinals.entries())
      for (const form of forms.split(', '))
        expect(meaningOf(form).numbers, form).toEqual([`${index + 1}.`]);
});

it('no number word of one language is another number in another', () => {
  const values = new Map<string, number>();
  for (const { numbers } of LANGUAGE_WORDS)
    for (const [word, value] of numbers.values) {
      expect(values.get(word) ?? value, word).toBe(value);
      values.set(word, value);
    }
});

it('a plant has the same place among those of its crop in every language', () => {
  const firstPlants = [
    ['peach', 'melocotón', 'pêche'],
    ['nectarine', 'nectarina', 'brugnon'],
    ['lemon', 'limón', 'citron'],
    ['lime', 'lima', 'citron vert'],
    ['tangerine', 'mandarina', 'mandarine'],
    ['clementine', 'clementina', 'clémentinier'],
    ['grapefruit', 'pomelo', 'pamplemousse'],
    ['raspberry', 'frambuesa', 'framboisier'],
    ['blackberry', 'zarzamora', 'mûre'],
    ['currant', 'grosella', 'groseillier'],
    ['shallot', 'chalota', 'échalote'],
    ['chilli', 'guindilla', 'piment'],
    ['gherkin', 'pepinillo', 'cornichon'],
    ['rutabaga', 'colinabo', 'rutabaga'],
    ['broad bean', 'haba', 'fève'],
    ['coconut', 'cocotero', 'cocotier'],
    ['sour cherry', 'guinda', 'griotte'],
    ['stone fruit', 'frutales de hueso', 'fruits à noyau'],
    ['pine', 'pino', 'pin'],
    ['spruce', 'pícea', 'épicéa'],
    ['fir', 'abeto', 'sapin'],
  ];
  for (const [plant, ...others] of firstPlants)
    for (const other of others) expect(meaningOf(other), other).toEqual(meaningOf(plant!));
  for (const crop of CROPS)
    expect(
      new Set(
        LANGS.map((lang) => meaningOf(languageOf(lang).crops[crop].split(/[,;] /)[0]!).words[0]),
      ),
      crop,
    ).toHaveLength(1);
});
