import type { Lang } from '../../domain/lang.ts';
import { programText } from '../../domain/text/program-text.ts';
import { verbatimText } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { RejectionReason, SkipCode } from '../../schema/ingest/rejection.ts';
import { languageOf } from '../index.ts';

export interface Rejection {
  readonly reason: RejectionReason;
  readonly column?: string;
  /** The two values for which a figure may stand. */
  readonly either?: readonly [number, number];
}

export const describeReason = (reason: RejectionReason, lang: Lang): Text =>
  typeof reason === 'string' ? languageOf(lang).rejections[reason] : verbatimText(reason.text);

/** As files of rejected rows and programs read it. */
export const reasonText = (reason: RejectionReason, lang: Lang): string =>
  programText(describeReason(reason, lang));

export function describeRejections(rejections: readonly Rejection[], lang: Lang): string {
  const { importReport } = languageOf(lang);
  const texts = rejections.map(({ reason, column, either }) => {
    const described = reasonText(reason, lang);
    const text = either ? importReport.either(described, ...either) : described;
    return column ? importReport.inColumn(column, text) : text;
  });
  return importReport.reasons(texts);
}

export const describeSkip = (code: SkipCode, lang: Lang): string =>
  languageOf(lang).skippedColumns[code];

export const describeColumnMeaning = (meaning: string, lang: Lang): string =>
  languageOf(lang).importReport.meanings[meaning] ?? meaning;
