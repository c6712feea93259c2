import type { Lang } from '../../src/domain/lang.ts';
import { textOf } from '../../src/domain/text/say.ts';
import type { Text, TextOrString } from '../../src/domain/text/text.ts';
import type { UnitSystem } from '../../src/domain/units.ts';
import type { AnswerText } from '../../src/language/text/render.ts';
import { render } from '../../src/language/text/render.ts';
import { FARM_NOW } from '../farm.ts';

/** An answer to a reader in Paris at the time of the farm of the tests. */
export const answerTo = (text: TextOrString, units: UnitSystem = 'metric'): AnswerText =>
  render(textOf(text), { now: FARM_NOW, zone: 'Europe/Paris', units });

/** What such a reader hears. */
export const said = (text: TextOrString, units?: UnitSystem): string =>
  answerTo(text, units).summary;

/** What such a reader hears in this language. */
export const saidIn = (lang: Lang, text: Text): string =>
  render(text, { now: FARM_NOW, zone: 'Europe/Paris', units: 'metric', lang }).summary;
