import { describe, expect, it } from 'vitest';
import { sentences } from '../../../src/domain/text/say.ts';
import {
  describeKeptFigures,
  summarizeWithSpacing,
} from '../../../src/language/irrigation/equipment-summary.ts';
import { renderText } from '../render-text.ts';
import { farm } from './waterings.ts';

describe('the density of emitters', () => {
  const summarize = summarizeWithSpacing(async () => sentences([]));
  const spacing = { emitterSpacingM: 0.3, lineSpacingM: 1.5 };

  it('follows from the spacing', async () => {
    const text = await summarize({}, farm, spacing, []);
    expect(renderText(text)).toBe('Emitters every 0.3 m on lines 1.5 m apart: 2.22 per m2.');
    expect(renderText(text, 'us')).toBe(
      'Emitters every 1 ft (0.3 m) on lines 4.9 ft (1.5 m) apart: 2.22 per m2.',
    );
    expect(renderText(await summarize({}, farm, { lineSpacingM: 1.5 }, []))).toBe('');
  });

  it('is kept with the other figures that a change does not mention', () => {
    const kept = {
      ...spacing,
      emitterFlowLph: 1.6,
      emittersPerM2: 2.22222,
      flowMmPerH: 3.555,
      fractionWetted: 0.4,
      irrigatedAreaM2: 4000,
    };
    expect(renderText(describeKeptFigures(kept))).toBe(
      'As before: 1.6 L/h per emitter, 2.22 emitters per m2, emitters every 0.3 m on lines 1.5 m apart, 3.56 mm/h, wetted fraction 40 %, 4000 m2.',
    );
    expect(renderText(describeKeptFigures({ irrigatedAreaM2: 4000 }))).toBe('As before: 4000 m2.');
  });
});
