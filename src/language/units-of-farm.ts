import type { Lang } from '../domain/lang.ts';
import { withTexts } from '../domain/text.ts';
import type { UnitSystem } from '../domain/units.ts';
import { shieldQuantities, withUsUnits } from './american-units.ts';

/**
 * What `write` makes of the facts, with its quantities in the units of the farm. The texts among
 * the facts are words of people, which keep theirs.
 */
export function inUnitsOfFarm<Facts extends { readonly units: UnitSystem }, Written>(
  facts: Facts,
  lang: Lang,
  write: (facts: Facts) => Written,
): Written {
  if (facts.units === 'metric') return write(facts);

  const written = write(withTexts(facts, (text) => shieldQuantities(text, lang)));
  return withTexts(written, (text) => withUsUnits(text, lang));
}
