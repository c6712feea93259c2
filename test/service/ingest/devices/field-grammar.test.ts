import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../../src/domain/result.ts';
import { chosenFieldTexts } from '../../../../src/language/ingest/field-texts.ts';
import { parseFields } from '../../../../src/service/ingest/devices/fields/field-grammar.ts';
import { measureField } from '../../../../src/service/ingest/devices/fields/field-measurements.ts';

const UNITS = {
  humidity: [null, '%', 'm3/m3'],
  temperature: [null, 'deg C', 'deg F'],
  tensio: [null, 'kPa', 'hPa', 'bar', 'MPa'],
} as const;

const choices = fc
  .constantFrom('humidity' as const, 'temperature' as const, 'tensio' as const)
  .chain((type) =>
    fc.record({
      type: fc.constant(type),
      unit: fc.constantFrom(...UNITS[type]),
      name: fc.stringMatching(/^[\w.=]{1,20}$/),
      depth: fc.option(fc.integer({ min: 0, max: 300 })),
      factor: fc.constantFrom(1, 0.1, 0.01, 10, 0.5),
    }),
  );

describe('what a field measures', () => {
  it('is read as it is written', () => {
    fc.assert(
      fc.property(choices, ({ depth, ...choice }) => {
        const position = depth === null ? null : 0;
        const depths = depth === null ? [] : [depth];
        const texts = chosenFieldTexts({ fields: [{ ...choice, position }], depths });
        const { type, unit, name, factor } = choice;
        expect(parseFields(texts)).toEqual([
          {
            name,
            meaning: {
              type,
              depth,
              factor,
              unit: unit === null ? null : expect.objectContaining({ type, symbol: unit }),
            },
          },
        ]);
      }),
    );
  });

  it.each([
    ['soil = moisture 20 cm', 'humidity', 20],
    ['soil = humidity at 20 cm in %', 'humidity', 20],
    ['soil = Bodenfeuchte 20 cm', 'humidity', 20],
    ['soil = humidité du sol 20 cm', 'humidity', 20],
    ['soil=temperature_30', 'temperature', 30],
    ['soil = tension 12 in cb', 'tensio', 30.48],
    ['soil = temperature air', 'temperature', null],
    ['soil = moisture', 'humidity', undefined],
  ])('is understood in usual words: %s', (text, type, depth) => {
    expect(parseFields([text])).toMatchObject([{ name: 'soil', meaning: { type, depth } }]);
  });

  it.each([
    ['soil = moisture 20 cm m3/m3', 0.243, 24.3],
    ['soil = moisture 20 cm % / 10', 243, 24.3],
    ['soil = moisture 20 cm % * 0.1', 243, 24.3],
    ['soil = temperature 20 cm °F', 68, 20],
    ['soil = tension 20 cm hPa', 250, 25],
  ])('is converted: %s', (text, number, value) => {
    const [{ name, meaning }] = parseFields([text]) as [ReturnType<typeof parseFields>[0]];
    const { type, unit, factor } = meaning!;
    const choice = { name, type, position: 0, unit: unit?.symbol ?? null, factor };
    expect(measureField(choice, number)).toEqual(ok({ type, position: 0, value }));
  });
});
