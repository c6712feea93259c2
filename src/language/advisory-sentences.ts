import type { Text } from '../domain/text/text.ts';
import type { Advisory } from '../schema/advisory.ts';
import type { WordingContext } from './summary-context.ts';

export type AdvisoryKind = Advisory['kind'];

/** Mapped by kind, which lets the compiler pair an advisory with the sentence of its kind. */
export type AdvisoryOf<K extends AdvisoryKind = AdvisoryKind> = {
  [Name in K]: Extract<Advisory, { kind: Name }>;
}[K];

export type AdvisorySentences = {
  readonly [K in AdvisoryKind]: (advisory: AdvisoryOf<K>, context: WordingContext) => Text;
};
