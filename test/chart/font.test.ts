import { describe, expect, it } from 'vitest';
import { canDraw } from '../../src/chart/font.ts';

describe('the bundled font', () => {
  it.each(['North 1', 'Été – œuf « Ñandú »', 'Ελιά', 'Север', 'الشمال', 'צפון', '', '5 °C · 12 m²', 'A\u200dB'])(
    'can draw "%s"',
    (text) => expect(canDraw(text)).toBe(true),
  );

  it.each(['北の畑', '사과', 'सेब', '북1', 'North 1 🌳', 'สวน'])('cannot draw "%s"', (text) =>
    expect(canDraw(text)).toBe(false),
  );
});
