import { describe, expect, it } from 'vitest';
import { canDraw } from '../../src/chart/font.ts';
import { LANGS } from '../../src/domain/lang.ts';
import { languageOf } from '../../src/language/index.ts';

describe('the bundled font', () => {
  it.each(LANGS)('can draw every label and month in %s', (lang) => {
    const { format, ...labels } = languageOf(lang).chartLabels;
    const texts = [
      format.months('short'),
      format.weekdays('short'),
      Object.values(labels),
      labels.measure,
      labels.watering,
    ];
    for (const text of texts.flatMap((each) => Object.values(each)).filter((each) => typeof each === 'string'))
      expect([text, canDraw(text)]).toEqual([text, true]);
  });

  it.each([
    'North 1',
    'Été – œuf « Ñandú »',
    '¿Señal? ¡Güímar 1.º!',
    'Ελιά',
    'Север',
    'الشمال',
    'צפון',
    '',
    '5 °C · 12 m²',
    'A\u200dB',
  ])('can draw "%s"', (text) => expect(canDraw(text)).toBe(true));

  it.each(['北の畑', '사과', 'सेब', '북1', 'North 1 🌳', 'สวน'])('cannot draw "%s"', (text) =>
    expect(canDraw(text)).toBe(false),
  );
});
