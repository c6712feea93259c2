import type { Lang } from '../../src/domain/lang.ts';
import type { Text } from '../../src/domain/text/text.ts';
import type { UnitSystem } from '../../src/domain/units.ts';
import { render } from '../../src/language/text/render.ts';
import { type AnswerText, readText } from '../../src/language/text/rendered-text.ts';
import { FARM_NOW } from '../farm.ts';

const READER = { now: FARM_NOW, zone: 'Europe/Paris' } as const;

/** Returns the answer with its texts as strings. */
export const readAnswer = <Answer extends AnswerText>(answer: Answer) => ({
  ...answer,
  summary: readText(answer.summary),
  next: answer.next.map(readText),
});

/** Renders for a reader in Paris at the time of the farm of the tests. */
export const renderAnswer = (text: Text, units: UnitSystem = 'metric') =>
  readAnswer(render(text, { ...READER, units }));

export const renderText = (text: Text, units?: UnitSystem): string =>
  renderAnswer(text, units).summary;

export const renderTextIn = (lang: Lang, text: Text, units: UnitSystem = 'metric'): string =>
  readText(render(text, { ...READER, units, lang }).summary);
