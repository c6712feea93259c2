import type { Lang } from '../../src/domain/lang.ts';
import { textOf } from '../../src/domain/text/say.ts';
import type { Text, TextOrString } from '../../src/domain/text/text.ts';
import type { UnitSystem } from '../../src/domain/units.ts';
import { type AnswerText, render } from '../../src/language/text/render.ts';
import { FARM_NOW } from '../farm.ts';

const READER = { now: FARM_NOW, zone: 'Europe/Paris' } as const;

/** For a reader in Paris at the time of the farm of the tests. */
export const renderAnswer = (text: TextOrString, units: UnitSystem = 'metric'): AnswerText =>
  render(textOf(text), { ...READER, units });

export const renderText = (text: TextOrString, units?: UnitSystem): string =>
  renderAnswer(text, units).summary;

export const renderTextIn = (lang: Lang, text: Text): string =>
  render(text, { ...READER, units: 'metric', lang }).summary;
