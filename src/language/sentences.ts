import { withoutNulls } from '../domain/items.ts';

/** Joins the sentences of an answer in their order; a sentence that does not apply is null. */
export const joinSentences = (sentences: readonly (string | null)[]): string =>
  withoutNulls(sentences).join(' ');
