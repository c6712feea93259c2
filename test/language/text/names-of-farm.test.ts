import { describe, expect, it } from 'vitest';
import { say } from '../../../src/domain/text/say.ts';
import type { Text } from '../../../src/domain/text/text.ts';
import {
  moduleText,
  namedProbesOf,
  parcelText,
  shortList,
  shortListOrNull,
  targetText,
  withProbes,
} from '../../../src/language/text/names-of-farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const { directory } = contextOf({
  modules: [
    { ...MODULE, name: '12 mm' },
    { ...MODULE, id: 2, name: 'Elm' },
    { ...MODULE, id: 3, name: 'Mast', category: 'WEATHER_STATION' },
  ],
  parcels: [{ id: 1, name: 'Row 2 in (50 mm)' }],
});

describe('the names of a farm', () => {
  it.each<[string, Promise<Text>]>([
    ['12 mm', moduleText(directory, 1)],
    ['module 9', moduleText(directory, 9)],
    ['"Row 2 in (50 mm)"', parcelText(directory, 1)],
    ['parcel 9', parcelText(directory, 9)],
    ['Elm', targetText(directory, { moduleId: 2, parcelId: 1 })],
    ['"Row 2 in (50 mm)"', targetText(directory, { moduleId: null, parcelId: 1 })],
    ['an unknown target', targetText(directory, { moduleId: null, parcelId: null })],
  ])('are said as %s, and never converted', async (called, text) => {
    expect(renderText(await text)).toBe(called);
    expect(renderText(await text, 'us')).toBe(called);
  });

  it('of a parcel are those of its probes', async () =>
    expect((await namedProbesOf(directory, 1)).map((text) => renderText(text))).toEqual([
      '12 mm',
      'Elm',
    ]));

  const probes = (count: number) => Array.from({ length: count }, (_, index) => say`P${index}`);

  it.each<[string, string[], number]>([
    ['Vines', [], 0],
    ['Vines (P0)', [], 1],
    ['Vines (P0, P1 and P2)', [], 3],
    ['Vines (4 probes)', ['list_modules(parcel)'], 4],
  ])('stand beside that of their parcel: %s', (summary, next, count) =>
    expect(renderAnswer(withProbes(say`Vines`, probes(count)))).toEqual({ summary, next }),
  );

  it.each([
    ['P0, P1, P2, P3, P4, P5 and P6', 7],
    ['P0, P1, P2, P3, P4, P5 and 2 more', 8],
  ])('are cut short: %s', (names, count) => {
    expect(renderText(shortList(probes(count)))).toBe(names);
    expect(renderText(shortListOrNull(probes(count))!)).toBe(names);
  });

  it('are none where there are none', () => expect(shortListOrNull([])).toBeNull());
});
