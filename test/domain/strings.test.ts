import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldText,
  nameInSentence,
  quote,
  singleLine,
  truncatedJson,
  visibleJson,
  visibleText,
} from '../../src/domain/strings.ts';
import { leastCpuMs } from '../cpu-time.ts';
import { expectHarmless, expectVisible, FORBIDDEN, HOSTILE_TEXTS } from '../hostile-texts.ts';

it('starts like the whole JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 1, max: 80 }), (value, most) => {
      expect(truncatedJson(value, most).slice(0, most)).toBe(JSON.stringify(value).slice(0, most));
    }),
  );
});

it.each([
  ['a long list', [...Array(100_000).keys()]],
  ['a long text', 'a'.repeat(100_000)],
  ['a list of lists', Array.from({ length: 1_000 }, () => Array(1_000).fill(0))],
])('does not serialize all of %s', (_, value) => {
  expect(truncatedJson(value, 60).length).toBeLessThan(1_000);
});

describe('a text from users', () => {
  it.each(HOSTILE_TEXTS)('is harmless in a sentence: %j', (text) => {
    expectVisible([visibleText(text), singleLine(text), quote(text), nameInSentence(text)]);
    expectHarmless(`${nameInSentence(text)} was watered.`);
    expect(JSON.parse(visibleJson({ [text]: [text] }))).toEqual({
      [visibleText(text)]: [visibleText(text)],
    });
  });

  it('is on one line without invisible characters, whatever it was, and is found by its visible form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(singleLine(text)).not.toMatch(FORBIDDEN);
        expect(quote(text)).toMatch(/^"[^"]{0,60}"$/);
        expect(nameInSentence(nameInSentence(text))).toBe(nameInSentence(text));
        expect(foldText(visibleText(text))).toBe(foldText(text));
      }),
    );
  });

  it('is cut to fit a quote together with its ellipsis', () => {
    expect(quote('a'.repeat(60))).toBe(`"${'a'.repeat(60)}"`);
    expect(quote('a'.repeat(61))).toBe(`"${'a'.repeat(59)}…"`);
  });

  it.each([
    'Soil probe 12',
    'Chêne vert, rangée 3',
    'Bloc d’en-haut 2/3 🌿',
    'Estación meteorológica 3',
    '356938035643809',
    '2026-07-01T06:00:00.000Z',
    'America/Argentina/ComodRivadavia',
  ])('needs no quotes if it cannot be read as a sentence: %s', (name) => {
    expect(nameInSentence(name)).toBe(name.includes(',') ? `"${name}"` : name);
  });

  it.each([
    ['the emoji that it shows without joiner', 'a👩\u200d🌾❤\ufe0f', 'a👩🌾❤'],
    ['spaces as they are', ' a  b ', ' a  b '],
    ['one line for several', 'a\r\n\tb', 'a b'],
    ['no terminal sequence', 'a\u001b[1;31mb\u001b]0;t\u0007c\u001b', 'abc '],
    ['an unfinished sequence as text', '\u001b]0;title', ' ]0;title'],
  ])('becomes %s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('is processed in linear time', async () => {
    const cost = async (text: string): Promise<number> =>
      Math.max(0.1, await leastCpuMs(() => visibleText(text)));
    for (const part of ['\u001b[', '\u001b]', '\u001b]0', '\u009b0', '\u001b[0 ', '\u200b', 'a'])
      expect(
        (await cost(part.repeat(160_000))) / (await cost(part.repeat(10_000))),
        part,
      ).toBeLessThan(64);
  });
});
